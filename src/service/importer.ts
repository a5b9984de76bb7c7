// Where imported readings go: to the running instance through its control socket, or, with none
// running, to a writer of our own, under the folder's lock.

import path from "node:path";
import { readBuild } from "../assets.ts";
import type { Config } from "../config.ts";
import { EXIT, Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import type { ImportRecord, ImportResult, Refused } from "../sqlite/import.ts";
import { lockFolder } from "../sqlite/lock.ts";
import { NotCommitted, openWriterThread } from "../sqlite/writer.ts";
import { type ControlClient, connectControl } from "./control-client.ts";
import { ImportAnswer, LINE_MAX_BYTES, RECORDS_MAX } from "./control-protocol.ts";
import { refuseForeignFolder } from "./simulated.ts";
import { writerRole } from "./writer-role.ts";

export interface Importer {
  /** Stores a batch; what it resolves with is on disk. Throws a Failure when it can't be stored. */
  store(records: readonly ImportRecord[]): Promise<ImportResult>;
  close(): Promise<void>;
}

/** What a request takes beside its records. */
const FRAME_BYTES = 64;

/** Throws a Failure when another process has the folder and doesn't listen. */
export async function openImporter(config: Config, log: Log): Promise<Importer> {
  const { dir } = config.storage;
  const client = await connectControl(dir);
  return client === null ? openOwn(config, log) : importerThrough(client);
}

function importerThrough(client: ControlClient): Importer {
  return {
    async store(records) {
      const total = { stored: 0, same: 0 };
      const refused: Refused[] = [];
      for (const part of fitting(records, refused)) {
        const answer = ImportAnswer.parse(await client.ask({ command: "import", records: part }));
        total.stored += answer.stored;
        total.same += answer.same;
        refused.push(...answer.refused);
      }
      return { ...total, refused };
    },
    close: async () => client.close(),
  };
}

/** The records in parts that each fit a request; one that fits none is refused. */
function* fitting(records: readonly ImportRecord[], refused: Refused[]): Generator<ImportRecord[]> {
  let part: ImportRecord[] = [];
  let length = FRAME_BYTES;
  for (const record of records) {
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (bytes + FRAME_BYTES > LINE_MAX_BYTES) {
      const problem = `${bytes} bytes, a running instance takes ${LINE_MAX_BYTES}: stop it first`;
      refused.push({ line: record.line, problem });
      continue;
    }
    if (length + bytes > LINE_MAX_BYTES || part.length === RECORDS_MAX) {
      yield part;
      part = [];
      length = FRAME_BYTES;
    }
    part.push(record);
    length += bytes;
  }
  if (part.length > 0) yield part;
}

async function openOwn(config: Config, log: Log): Promise<Importer> {
  const { dir } = config.storage;
  const lock = lockFolder(dir);
  refuseForeignFolder(dir, { isSimulated: false });
  const writer = await openWriterThread({
    workerFile: path.join(import.meta.dirname, "worker.cjs"),
    role: writerRole(config, readBuild()),
    log,
    onLost: () => {},
  });
  return {
    store: (records) =>
      writer.importRecords(records).catch((error) => {
        if (error instanceof NotCommitted) throw new Failure(EXIT.io, error.message);
        throw error;
      }),
    async close() {
      await writer.close();
      lock.release();
    },
  };
}
