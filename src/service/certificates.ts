// The certificates that the configuration names, read before anything else is opened, so that a
// wrong file ends the start at once; and read again all together on SIGHUP.

import type { CertificateUse } from "../certificate.ts";
import { type WatchedCertificate, watchCertificate } from "../certificate-watch.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";

export interface Certificates {
  /** Null where the configuration names no file. */
  readonly http: WatchedCertificate | null;
  readonly mqtt: WatchedCertificate | null;
  /** Those there are. */
  readonly all: readonly WatchedCertificate[];
}

/** Reads them and keeps watch. Throws a Failure (exit 78) for files that can't be used. */
export function openCertificates(
  config: Config,
  tools: { readonly clock: Clock; readonly log: Log },
): Certificates {
  const open = (use: CertificateUse, { tls_cert: cert, tls_key: key, tls_ca: ca }: Files) =>
    cert + ca === "" ? null : watchCertificate({ use, cert, key, ca }, tools);
  const http = open("http", { ...config.http, tls_ca: "" });
  const mqtt = open("mqtt", config.mqtt);
  return { http, mqtt, all: [http, mqtt].filter((one) => one !== null) };
}

type Files = Pick<Config["mqtt"], "tls_cert" | "tls_key" | "tls_ca">;
