// The fleet's certificate authority: a folder of PEM files beside the server's configuration, with
// the authority, the server's certificate and their keys. X.509 is made by openssl, on which
// Debian's postgresql depends; Node can't, and our own writer of DER would be one more thing to
// trust. Ships pin the server's key, which a renewed certificate keeps.

import { spawnSync } from "node:child_process";
import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { writeWhole } from "../ground/durable.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { keyPinOf } from "../ground/key-pin.ts";

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Validity, longer than a ship's life: a key is ended by its role, not by a date. */
const AUTHORITY_DAYS = 30 * 365;
const CERTIFICATE_DAYS = 20 * 365;

type Purpose = "authority" | "server" | "ship";

export interface Authority {
  /** Paths of the files for the server's settings. */
  readonly ca: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  /** Makes missing files, and a new server certificate for these names and addresses. */
  makeServer(hosts: readonly string[]): void;
  /** Names and addresses in the server's certificate. */
  hosts(): readonly string[];
  /** The server's public key, in curl's form. */
  keyPin(): string;
  /** Makes a new key for the role, with a certificate. */
  makeShip(role: string): KeyPair;
  /** True for a certificate that this authority issued. */
  hasIssued(certificate: X509Certificate): boolean;
}

export function openAuthority(folder: string): Authority {
  const file = (name: string) => path.join(folder, name);
  const [ca, serverCertificate, serverKey] = ["ca.pem", "server.pem", "server.key"].map(file);
  const server = () => {
    if (existsSync(serverCertificate)) return new X509Certificate(readFileSync(serverCertificate));
    const next = "first ballastd fleet certificate --host NAME";
    throw new Failure(EXIT.failed, `${serverCertificate}: is not there; ${next}`);
  };
  const issue = (made: {
    subject: string;
    key: string;
    purpose: Purpose;
    hosts?: readonly string[];
  }) => signed({ ...made, folder, authority: { ca, key: file("ca.key") } });
  return {
    ca,
    serverCertificate,
    serverKey,
    makeServer(hosts) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const caKey = keyIn(file("ca.key"));
      if (!existsSync(ca)) {
        const subject = "ballastd fleet";
        writeWhole(ca, issue({ subject, key: caKey, purpose: "authority" }), { mode: 0o644 });
      }
      const key = keyIn(serverKey);
      const certificate = issue({
        subject: "ballastd fleet server",
        key,
        purpose: "server",
        hosts,
      });
      writeWhole(serverCertificate, certificate, { mode: 0o644 });
    },
    hosts: () =>
      (server().subjectAltName ?? "")
        .split(", ")
        .map((name) => name.replace(/^(DNS|IP Address):/, "")),
    keyPin() {
      const der = server().publicKey.export({ type: "spki", format: "der" });
      return keyPinOf(der);
    },
    makeShip(role) {
      const key = newKey();
      return { key, certificate: issue({ subject: role, key, purpose: "ship" }) };
    },
    hasIssued(certificate) {
      // Throws a Failure with the next step if there is no authority.
      server();
      return certificate.verify(new X509Certificate(readFileSync(ca)).publicKey);
    },
  };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Path of the key; the key is made if it is missing. */
function keyIn(file: string): string {
  if (!existsSync(file)) writeWhole(file, newKey());
  return readFileSync(file, "utf8");
}

interface CertificateAsked {
  readonly subject: string;
  readonly key: string;
  readonly purpose: Purpose;
  readonly hosts?: readonly string[];
  readonly folder: string;
  readonly authority: { readonly ca: string; readonly key: string };
}

/** A certificate for the key, as PEM; an authority's certificate is self-signed. */
function signed({
  subject,
  key,
  purpose,
  hosts = [],
  folder,
  authority,
}: CertificateAsked): string {
  const work = mkdtempSync(path.join(folder, "openssl-"));
  const file = (name: string, content: string) => {
    const place = path.join(work, name);
    writeFileSync(place, content, { mode: 0o600 });
    return place;
  };
  try {
    const config = file("config", configOf(hosts));
    const request = ["-new", "-key", file("key", key), "-subj", `/CN=${subject}`];
    const serial = `0x${randomBytes(16).toString("hex")}`;
    const named = ["req", ...request, "-config", config];
    if (purpose === "authority") {
      const days = ["-days", `${AUTHORITY_DAYS}`, "-set_serial", serial];
      return openssl(...named, "-x509", "-extensions", purpose, ...days);
    }
    const csr = file("csr", openssl(...named));
    const by = ["-CA", authority.ca, "-CAkey", authority.key, "-set_serial", serial];
    const days = ["-days", `${CERTIFICATE_DAYS}`];
    const extensions = ["-extfile", config, "-extensions", purpose];
    return openssl("x509", "-req", "-in", csr, ...by, ...days, ...extensions);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function configOf(hosts: readonly string[]): string {
  const names = hosts.map((host) => `${net.isIP(host) === 0 ? "DNS" : "IP"}:${host}`);
  return `[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[server]
extendedKeyUsage = serverAuth
${names.length === 0 ? "" : `subjectAltName = ${names.join(", ")}`}
[ship]
extendedKeyUsage = clientAuth
`;
}

function openssl(...args: readonly string[]): string {
  const { status, error, stdout, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
  if (error !== undefined)
    throw new Failure(EXIT.unavailable, `openssl: ${error.message}; install Debian's openssl`);
  if (status !== 0) throw new Failure(EXIT.failed, `openssl ${args[0]}: ${stderr.trim()}`);
  return stdout;
}
