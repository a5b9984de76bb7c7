// The configured certificates. They are read before anything else is opened, so that a bad file
// ends the start at once. SIGHUP has all of them read again.

import type { CertificateFiles, CertificateUse } from "../config/certificate.ts";
import { type WatchedCertificate, watchCertificate } from "../config/certificate-watch.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";

export interface Certificates {
  /** Null if the configuration names no file. */
  readonly http: WatchedCertificate | null;
  readonly mqtt: WatchedCertificate | null;
  readonly sparkplug: WatchedCertificate | null;
  /** All configured certificates. */
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

/** The certificate files in the configuration, by their use. */
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
