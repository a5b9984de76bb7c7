// Configurations as files in a folder of a test file's own, and what is said of one that is
// refused. The folder is removed when all tests of the file have run.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { loadConfig, readableConfig } from "../../src/config/load.ts";
import { EXIT, Failure } from "../../src/ground/errors.ts";

export type Environment = Readonly<Record<string, string>>;

/** A folder for configurations, and ways to read one from there. */
export function configFolder() {
  const dir = mkdtempSync(path.join(os.tmpdir(), "ballastd-config-"));
  const file = path.join(dir, "ballastd.toml");
  afterAll(() => rmSync(dir, { recursive: true }));
  return {
    dir,
    file,
    load(toml: string | null, env: Environment = {}) {
      if (toml !== null) writeFileSync(file, toml);
      return loadConfig({ file: toml === null ? null : file, env, defaultFile: null }).config;
    },
    /** The readable keys of a configuration, whatever its faults. */
    readable(toml: string, env: Environment = {}) {
      writeFileSync(file, toml);
      return readableConfig({ file, env, defaultFile: null });
    },
  };
}

/** The message of a refusal. */
export function refusal(read: () => unknown): string {
  try {
    return `not refused: ${JSON.stringify(read())}`;
  } catch (error) {
    if (error instanceof Failure && error.exitCode === EXIT.config) return error.message;
    throw error;
  }
}
