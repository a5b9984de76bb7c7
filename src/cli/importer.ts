// Stores readings from a file or from the office: in the running instance, in requests of a size
// that it accepts, or without an instance directly in the data folder. The audit log records the
// start of an import, before anything is stored, and its result.

import { openInstance } from "../app/instance.ts";
import { refuseForeignFolder } from "../app/simulated.ts";
import type { AuditDetail } from "../bwts/audit.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../ground/log.ts";
import type { ImportRecord, RefusedLine } from "../payload/import.ts";
import type { ImportResult } from "../sqlite/threads/import.ts";
import { RECORDS_MAX } from "../sqlite/threads/writer-commands.ts";

export interface Importer {
  /** Stores a batch; it is on disk when this resolves. Throws a Failure if it can't be stored. */
  store(records: readonly ImportRecord[]): Promise<ImportResult>;
  /** Ends the import; `total` is the result for the whole file, for the audit log. */
  close(total: LineCounts): Promise<void>;
}

/** Numbers of lines that were stored now, were stored before, and were refused. */
interface LineCounts {
  readonly stored: number;
  readonly same: number;
  readonly refused: number;
}

/** Bytes reserved in a request for everything beside its records. */
const FRAME_BYTES = 64;

/**
 * Opens the instance or the data folder; the audit log records the name `file`. Throws a Failure if
 * the folder can't be used.
 */
export async function openImporter(config: Config, log: Log, file: string): Promise<Importer> {
  const instance = await openInstance(config, log, () =>
    refuseForeignFolder(config.storage.dir, { isSimulated: false }),
  );
  const audit = (detail: AuditDetail) =>
    instance.ask("audit", { kind: "import", detail: { file, ...detail } });
  let hasBegun = false;
  return {
    async store(records) {
      if (!hasBegun) await audit({ state: "started" });
      hasBegun = true;
      const total = { stored: 0, same: 0 };
      const refused: RefusedLine[] = [];
      for (const part of fitting(records, instance.request_bytes_max, refused)) {
        const answer = await instance.ask("import", { records: part });
        total.stored += answer.stored;
        total.same += answer.same;
        refused.push(...answer.refused);
      }
      return { ...total, refused };
    },
    async close({ stored, same, refused }) {
      try {
        if (hasBegun) await audit({ state: "finished", stored, same, refused });
      } finally {
        await instance.close();
      }
    },
  };
}

/** The records in parts that each fit a request; a record too large for one is refused. */
function* fitting(
  records: readonly ImportRecord[],
  bytes_max: number | null,
  refused: RefusedLine[],
): Generator<ImportRecord[]> {
  const limit_bytes = bytes_max ?? Number.POSITIVE_INFINITY;
  let part: ImportRecord[] = [];
  let length = FRAME_BYTES;
  for (const record of records) {
    const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (bytes + FRAME_BYTES > limit_bytes) {
      const problem = `${bytes} bytes, a running instance takes ${limit_bytes}: stop it first`;
      refused.push({ line: record.line, problem });
      continue;
    }
    if (length + bytes > limit_bytes || part.length === RECORDS_MAX) {
      yield part;
      part = [];
      length = FRAME_BYTES;
    }
    part.push(record);
    length += bytes;
  }
  if (part.length > 0) yield part;
}
