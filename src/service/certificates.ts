// The certificates that the configuration names, read before anything else is opened, so that a
// wrong file ends the start at once; and read again all together on SIGHUP.

import type { CertificateFiles, CertificateUse } from "../certificate.ts";
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
  const all = certificateFiles(config).map((files) => ({
    files,
    ...watchCertificate(files, tools),
  }));
  const of = (use: CertificateUse) => all.find(({ files }) => files.use === use) ?? null;
  return { http: of("http"), mqtt: of("mqtt"), all };
}

/** The files that the configuration names, by what they are for. */
export function certificateFiles({ http, mqtt }: Config): readonly CertificateFiles[] {
  const filesOf = (
    use: CertificateUse,
    { tls_cert, tls_key, tls_ca }: Files,
  ): CertificateFiles => ({
    use,
    cert: tls_cert,
    key: tls_key,
    ca: tls_ca,
  });
  return [filesOf("http", { ...http, tls_ca: "" }), filesOf("mqtt", mqtt)].filter(
    ({ cert, ca }) => cert + ca !== "",
  );
}

type Files = Pick<Config["mqtt"], "tls_cert" | "tls_key" | "tls_ca">;
