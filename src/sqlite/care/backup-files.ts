// The small files that a backup holds beside the database: a fixed list, each with its hash. A
// backup may come from a stranger's stick, and an unlisted name could make it write any file.

import { hash } from "node:crypto";
import { closeSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { openFile } from "../../ground/durable.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { type Connection, prepare } from "../file/open.ts";

/**
 * Small files of the data folder that belong to the data. The token's file is added under the name
 * `token`.
 */
export const KEPT_FILES = ["SIMULATED", "mqtt-session.json", "ship.json"] as const;
export const TOKEN_NAME = "token";
const NAMES: readonly string[] = [...KEPT_FILES, TOKEN_NAME];

/** Maximum size of a small file. The largest one, the MQTT session, has some hundred bytes. */
const FILE_MAX_BYTES = 64 * 1024;

export interface BackupFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The small files that exist in a data folder. */
export function readSmallFiles(dir: string, token_file: string): readonly BackupFile[] {
  return NAMES.flatMap((name) => {
    const file = name === TOKEN_NAME ? token_file : path.join(dir, name);
    return existsSync(file) ? [{ name, content: contentOf(file) }] : [];
  });
}

function contentOf(file: string): Buffer {
  const handle = openFile(file);
  try {
    const content = readFileSync(handle);
    if (content.length <= FILE_MAX_BYTES) return content;
    throw new Failure(
      EXIT.failed,
      `${file}: has ${content.length} bytes, expected ${FILE_MAX_BYTES} at most`,
    );
  } finally {
    closeSync(handle);
  }
}

const Row = z.object({
  name: z.string(),
  content: z.instanceof(Uint8Array),
  sha256: z.instanceof(Uint8Array),
});

/** The files in a backup. Throws a Failure for an unknown name or an altered file. */
export function filesOf(db: Connection): readonly BackupFile[] {
  return prepare(db, "backup.files").all({}).map(checked);
}

function checked(row: unknown): BackupFile {
  const read = Row.safeParse(row);
  if (!read.success) throw refusal("a row that can't be read");
  const { name, content, sha256 } = read.data;
  if (!NAMES.includes(name)) throw refusal(`the file ${JSON.stringify(name.slice(0, 60))}`);
  if (content.length > FILE_MAX_BYTES) throw refusal(`${name} of ${content.length} bytes`);
  if (!hash("sha256", content, "buffer").equals(sha256))
    throw new Failure(EXIT.failed, `the backup was altered: ${name} isn't what was written`);
  return { name, content };
}

function refusal(what: string): Failure {
  return new Failure(
    EXIT.failed,
    `the backup was altered: it holds ${what}, expected ${NAMES.join(", ")} only`,
  );
}
