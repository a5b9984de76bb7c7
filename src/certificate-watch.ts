// Keeps a certificate current while the program runs: its files are looked at every few seconds
// (polled, because a file that is replaced by rename is another file, which a watch would miss) and
// on SIGHUP. What can't be used, such as half of a pair that is being copied, changes nothing: the
// one before stays, /readyz says so, and the next change is tried again.

import { statSync } from "node:fs";
import {
  type Certificate,
  type CertificateFiles,
  type CertificateUse,
  type Credentials,
  dateProblem,
  readCertificate,
} from "./certificate.ts";
import { type Clock, printTime } from "./clock.ts";
import { codeOf, messageOf } from "./errors.ts";
import type { Log } from "./log.ts";

/** How /readyz and /metrics tell of it. */
export interface CertificateState {
  readonly use: CertificateUse;
  /** When the first of what is in use ends. */
  readonly ends_ms: number;
  /** A date, or files that can't be used, in words; null when nothing is wrong. */
  readonly problem: string | null;
}

export interface WatchedCertificate {
  /** What new connections use. */
  readonly credentials: () => Credentials;
  readonly state: () => CertificateState;
  /** Calls `listener` with whatever replaces what is in use. */
  onChange(listener: (credentials: Credentials) => void): void;
  /** Reads the files now, changed or not. Never throws: what is wrong is logged. */
  reload(): void;
  close(): void;
}

/** Soon enough for whoever has just copied the files and looks. */
const LOOK_MS = 3000;

/** Reads the files and keeps watch. Throws a Failure (exit 78) when they can't be used at all. */
export function watchCertificate(
  files: CertificateFiles,
  { clock, log }: { clock: Clock; log: Log },
): WatchedCertificate {
  const { use } = files;
  const listeners: ((credentials: Credentials) => void)[] = [];
  let tried = printOf(files);
  let current: Certificate = readCertificate(files);
  let unusable: string | null = null;
  let told: string | null = null;

  const dates = () => dateProblem(current, clock.now_ms());
  const tellDates = () => {
    const problem = dates();
    if (problem !== null && problem !== told) log.warn(problem, { use });
    told = problem;
  };
  const reload = () => {
    // Taken first: what changes while it is read is another change.
    tried = printOf(files);
    try {
      current = readCertificate(files);
    } catch (error) {
      unusable = messageOf(error);
      log.warn("the certificate on disk can't be used, the one before stays", {
        use,
        problem: unusable,
      });
      return;
    }
    unusable = null;
    const { subject, ends_ms } = current;
    log.info("the certificate was read again", { use, subject, ends: printTime(ends_ms) });
    for (const listener of listeners) listener(current.credentials);
  };
  const look = () => {
    if (printOf(files) !== tried) reload();
    tellDates();
  };

  tellDates();
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    credentials: () => current.credentials,
    state: () => ({ use, ends_ms: current.ends_ms, problem: unusable ?? dates() }),
    onChange: (listener) => listeners.push(listener),
    reload,
    close: () => clearInterval(timer),
  };
}

/** Differs when any of the files was written or replaced. */
function printOf({ cert, key, ca }: CertificateFiles): string {
  return [cert, key, ca].map(printOfFile).join(" ");
}

function printOfFile(file: string): string {
  if (file === "") return "-";
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch (error) {
    return codeOf(error) ?? messageOf(error);
  }
}
