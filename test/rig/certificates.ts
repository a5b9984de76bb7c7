// Certificates for tests, made by openssl as in docs/operating.md: an authority, and what it signs.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** PEM files. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly ca: string;
  /** A certificate of this authority for 127.0.0.1 and localhost; `days` below 0: it has ended. */
  issue(name: string, days?: number): Pair;
}

const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];

/** An authority in a new folder `name` under `dir`. */
export function authority(dir: string, name: string): Authority {
  const folder = path.join(dir, name);
  mkdirSync(folder);
  const file = (part: string) => path.join(folder, part);
  const ca = file("ca.pem");
  const subject = ["-subj", `/CN=${name}`, "-days", "30"];
  openssl("req", "-x509", ...EC_KEY, "-nodes", "-keyout", file("ca.key"), "-out", ca, ...subject);
  const extensions = file("extensions");
  writeFileSync(extensions, "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
  const signed = ["-CA", ca, "-CAkey", file("ca.key"), "-CAcreateserial", "-extfile", extensions];
  return {
    ca,
    issue(owner, days = 90) {
      const pair = { cert: file(`${owner}.pem`), key: file(`${owner}.key`) };
      const request = file(`${owner}.csr`);
      const asked = ["-keyout", pair.key, "-out", request, "-subj", `/CN=${owner}`];
      openssl("req", ...EC_KEY, "-nodes", ...asked);
      openssl("x509", "-req", "-in", request, ...signed, "-days", `${days}`, "-out", pair.cert);
      return pair;
    },
  };
}

/** HTTPS with this certificate, by environment variables. */
export const asHttp = ({ cert, key }: Pair) => ({
  BALLASTD_HTTP_TLS_CERT: cert,
  BALLASTD_HTTP_TLS_KEY: key,
});

/** MQTTS with this certificate. */
export const asMqtt = ({ cert, key }: Pair) => ({
  BALLASTD_MQTT_TLS_CERT: cert,
  BALLASTD_MQTT_TLS_KEY: key,
});

/** A key that a passphrase locks. */
export function lockedKey(dir: string): string {
  const file = path.join(dir, "locked.key");
  const lock = ["-aes-256-cbc", "-pass", "pass:secret", "-out", file];
  openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", ...lock);
  return file;
}

function openssl(...options: readonly string[]): void {
  execFileSync("openssl", options, { stdio: "pipe" });
}
