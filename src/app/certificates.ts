// The configured certificates. They are read before anything else is opened, so that a wrong file
// ends the start at once, and all are read again on SIGHUP.

import type { CertificateFiles, CertificateUse } from "../config/certificate.ts";
import { type WatchedCertificate, watchCertificate } from "../config/certificate-watch.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";

export interface Certificates {
  /** Null where the configuration names no file. */
  readonly http: WatchedCertificate | null;
  readonly mqtt: WatchedCertificate | null;
  readonly sparkplug: WatchedCertificate | null;
  /** The configured ones. */
  readonly all: readonly WatchedCertificate[];
}

/**
 * Reads the certificates and watches their files. Throws a Failure (exit 78) for unusable files.
 */
export function openCertificates(
  config: Config,
  tools: { readonly clock: Clock; readonly log: Log },
): Certificates {
  const all = certificateFiles(config).map((files) => ({
    files,
    ...watchCertificate(files, tools),
  }));
  const of = (use: CertificateUse) => all.find(({ files }) => files.use === use) ?? null;
  return { http: of("http"), mqtt: of("mqtt"), sparkplug: of("sparkplug"), all };
}

/** The files that the configuration names, by their use. */
export function certificateFiles({ http, mqtt, sparkplug }: Config): readonly CertificateFiles[] {
  const filesOf = (
    use: CertificateUse,
    { tls_cert, tls_key, tls_ca }: Files,
  ): CertificateFiles => ({
    use,
    cert: tls_cert,
    key: tls_key,
    ca: tls_ca,
  });
  return [
    filesOf("http", { ...http, tls_ca: "" }),
    filesOf("mqtt", mqtt),
    filesOf("sparkplug", sparkplug),
  ].filter(({ cert, ca }) => cert + ca !== "");
}

type Files = Pick<Config["mqtt"], "tls_cert" | "tls_key" | "tls_ca">;
