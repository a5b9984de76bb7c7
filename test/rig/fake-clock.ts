// A clock that a test sets under a running program: Debian's libfaketime, which reads from a file
// by how much the time of day is off. The steady clock stays what it is.

import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

const LIBRARIES = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`,
);

export interface FakeClock {
  /** For the program whose clock it is. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets it so many seconds ahead of the real one, or behind. */
  set(seconds: number): void;
}

/** A clock that is right to begin with; its file lies in `folder`. */
export function fakeClock(folder: string): FakeClock {
  const library = LIBRARIES.find((file) => existsSync(file));
  if (library === undefined)
    throw new Error("libfaketime is missing: install Debian's package faketime");
  const file = path.join(folder, "faketime");
  const set = (seconds: number) => {
    writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  return { env, set };
}
