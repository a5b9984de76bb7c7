// Keeps a certificate current while the program runs. Its files are polled every few seconds (a
// watch would miss a file that a rename replaces) and read on SIGHUP. Unusable files, such as half
// of a pair that is being copied, change nothing: the certificate in use stays, /readyz and a line
// of the log say why, and they are tried again until they can be used.

import { statSync } from "node:fs";
import { type Clock, printTime } from "../ground/clock.ts";
import { codeOf, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import {
  type Certificate,
  type CertificateFiles,
  type CertificateUse,
  type Credentials,
  dateProblem,
  readCertificate,
} from "./certificate.ts";

/** The state for /readyz and /metrics. */
export interface CertificateState {
  readonly use: CertificateUse;
  /** End of validity of the certificate in use that ends first. */
  readonly ends_ms: number;
  /** Text about the validity, or about unusable files; null if there is no problem. */
  readonly problem: string | null;
}

export interface WatchedCertificate {
  /** The credentials for new connections. */
  readonly credentials: () => Credentials;
  readonly state: () => CertificateState;
  /** Calls `listener` with credentials that replace those in use. */
  onChange(listener: (credentials: Credentials) => void): void;
  /** Reads the files now, changed or not. Never throws: problems are logged. */
  reload(): void;
  /** Reads the files if they were changed, or weren't usable: what is done every few seconds. */
  look(): void;
  close(): void;
}

/** Interval of polling the files: short enough for a user who has just copied them and watches. */
const LOOK_MS = 3000;

/** Reads the files and watches them. Throws a Failure (exit 78) if they can't be used at all. */
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
  const reload = (by: "user" | "poll") => {
    // Noted before reading, so that a change during the reading counts as another one.
    tried = printOf(files);
    try {
      current = replacementOf(current, readCertificate(files), clock.now_ms());
    } catch (error) {
      const problem = messageOf(error);
      // Once: a file that is written again and again, always wrong, would hide other entries.
      if (by === "user" || problem !== unusable)
        log.warn("the certificate on disk can't be used, the one before stays", { use, problem });
      unusable = problem;
      return;
    }
    unusable = null;
    const { subject, ends_ms } = current;
    log.info("the certificate was read again", { use, subject, ends: printTime(ends_ms) });
    for (const listener of listeners) listener(current.credentials);
  };
  const look = () => {
    // Files that couldn't be read may be readable now, such as when fewer are open.
    if (printOf(files) !== tried || unusable !== null) reload("poll");
    tellDates();
  };

  tellDates();
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    credentials: () => current.credentials,
    state: () => ({ use, ends_ms: current.ends_ms, problem: unusable ?? dates() }),
    onChange: (listener) => listeners.push(listener),
    reload: () => reload("user"),
    look,
    close: () => clearInterval(timer),
  };
}

/** The certificate found on disk; throws if it has ended, and the one in use hasn't. */
function replacementOf(current: Certificate, found: Certificate, now_ms: number): Certificate {
  if (found.ends_ms > now_ms || current.ends_ms <= now_ms) return found;
  const [ended, ends] = [found, current].map(({ ends_ms }) => printTime(ends_ms));
  throw new Error(`ended on ${ended}, the one in use is valid until ${ends}`);
}

/** A fingerprint that changes when any of the files is written or replaced. */
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
