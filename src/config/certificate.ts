// Certificates with their keys, and authorities: PEM files, read and checked before use, so that a
// problem is reported with its key and file instead of by a failing handshake at sea. A date is no
// reason for a refusal: a monitor must not stop because a certificate ended, or because the box's
// clock is wrong; it is reported instead.

import { constants, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { DAY_MS, printTime } from "../ground/clock.ts";
import { readSmall } from "../ground/durable.ts";
import { codeOf, messageOf } from "../ground/errors.ts";
import { refused, shownPath } from "./shown.ts";

/** The use of a certificate: the section of its configuration keys. */
export type CertificateUse = "http" | "mqtt" | "sparkplug";

/** The files named in the configuration; "" for none. */
export interface CertificateFiles {
  readonly use: CertificateUse;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/**
 * Credentials in the form of node's TLS, with at least TLS 1.2. No session is resumed: one begun
 * before a certificate was withdrawn would go on without it.
 */
export interface Credentials {
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly ca?: Buffer;
  readonly minVersion: "TLSv1.2";
  readonly secureOptions: number;
}

/** The files' contents, and the period of their validity. */
export interface Certificate {
  readonly credentials: Credentials;
  /** The subject on one line; "" for an authority alone. */
  readonly subject: string;
  readonly begins_ms: number;
  readonly ends_ms: number;
}

/** Maximum size of a file: four times a bundle of all public authorities. */
const FILE_MAX_BYTES = 1024 * 1024;

/**
 * Time before the end of validity from which it is reported: enough to get a new certificate
 * aboard.
 */
const ENDS_SOON_MS = 30 * DAY_MS;

/** Reads and checks the files. Throws a Failure (exit 78) with key, file and problem. */
export function readCertificate(files: CertificateFiles): Certificate {
  const { cert, key, ca } = files;
  const own = cert === "" ? null : readOwn(files);
  const authority = ca === "" ? null : readChain(`${files.use}.tls_ca`, ca);
  const credentials: Credentials = {
    ...(own === null ? {} : { cert: own.bytes, key: own.key_bytes }),
    ...(authority === null ? {} : { ca: authority.bytes }),
    minVersion: "TLSv1.2",
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
  try {
    createSecureContext(credentials);
  } catch (error) {
    const where =
      cert === ""
        ? `tls_ca ${shownPath(ca)}`
        : `tls_cert ${shownPath(cert)} with ${shownPath(key)}`;
    throw refused(`${files.use}.${where}`, `can't be used: ${messageOf(error)}`);
  }
  // A chain is valid until its first link ends; authorities are valid until the last one ends.
  const chain = own?.chain ?? [];
  const ends = chain.map((link) => link.validToDate.getTime());
  const until = (authority?.chain ?? []).map((link) => link.validToDate.getTime());
  return {
    credentials,
    subject: (chain[0]?.subject ?? "").replace(/\n/g, ", "),
    begins_ms: Math.max(...chain.map((link) => link.validFromDate.getTime())),
    ends_ms: Math.min(...ends, ...(until.length === 0 ? [] : [Math.max(...until)])),
  };
}

/** Text about a problem with the validity; null if there is none. */
export function dateProblem({ begins_ms, ends_ms }: Certificate, now_ms: number): string | null {
  if (now_ms >= ends_ms) return `the certificate ended on ${printTime(ends_ms)}`;
  if (now_ms < begins_ms)
    return `the certificate is not valid before ${printTime(begins_ms)}, is the clock right?`;
  if (now_ms >= ends_ms - ENDS_SOON_MS) return `the certificate ends on ${printTime(ends_ms)}`;
  return null;
}

interface Chain {
  readonly bytes: Buffer;
  readonly chain: readonly X509Certificate[];
}

function readOwn({ use, cert, key }: CertificateFiles): Chain & { readonly key_bytes: Buffer } {
  const own = readChain(`${use}.tls_cert`, cert);
  const key_bytes = readFile(`${use}.tls_key`, key);
  const secret = readKey(`${use}.tls_key ${shownPath(key)}`, key_bytes.toString("latin1"));
  const place = own.chain.findIndex((link) => link.checkPrivateKey(secret));
  if (place === -1)
    throw refused(
      `${use}.tls_key ${shownPath(key)}`,
      `doesn't belong to the certificate in ${shownPath(cert)}`,
    );
  if (place > 0)
    throw refused(
      `${use}.tls_cert ${shownPath(cert)}`,
      `has the certificate of the key in place ${place + 1}, expected it first`,
    );
  return { ...own, key_bytes };
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function readChain(where: string, file: string): Chain {
  const bytes = readFile(where, file);
  const text = bytes.toString("latin1");
  const blocks = text.match(CERTIFICATES) ?? [];
  if (blocks.length === 0) {
    const found = text.includes("PRIVATE KEY-----") ? "holds a private key" : "is not PEM";
    throw refused(`${where} ${shownPath(file)}`, `${found}, expected -----BEGIN CERTIFICATE-----`);
  }
  try {
    return { bytes, chain: blocks.map((block) => new X509Certificate(block)) };
  } catch (error) {
    const problem = `holds a certificate that can't be read: ${messageOf(error)}`;
    throw refused(`${where} ${shownPath(file)}`, problem);
  }
}

function readKey(where: string, text: string): KeyObject {
  if (!text.includes("PRIVATE KEY-----")) {
    const found = text.includes("-----BEGIN") ? "holds something else" : "is not PEM";
    throw refused(where, `${found}, expected -----BEGIN PRIVATE KEY-----`);
  }
  // Nobody can type a passphrase when the program starts aboard.
  if (/BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(text))
    throw refused(where, "is locked by a passphrase, expected a key without one");
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw refused(where, `holds a key that can't be read: ${messageOf(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "doesn't exist",
  EACCES: "may not be read by this user",
  EISDIR: "is not a file",
};

function readFile(where: string, file: string): Buffer {
  try {
    return readSmall(file, FILE_MAX_BYTES);
  } catch (error) {
    throw refused(
      `${where} ${shownPath(file)}`,
      REASONS[codeOf(error) ?? ""] ?? codeOf(error) ?? messageOf(error),
    );
  }
}
