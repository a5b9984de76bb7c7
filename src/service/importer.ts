// Where imported readings go: to the instance, in requests of a size that it takes. The audit log
// says when an import begins, before anything is stored, and what came of it.

import type { AuditDetail } from "../bwts/audit.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { ImportRecord, ImportResult, Refused } from "../sqlite/import.ts";
import { readAnswer } from "./control-client.ts";
import { ImportAnswer, RECORDS_MAX } from "./control-protocol.ts";
import { openInstance } from "./instance.ts";
import { refuseForeignFolder } from "./simulated.ts";

export interface Importer {
  /** Stores a batch; what it resolves with is on disk. Throws a Failure when it can't be stored. */
  store(records: readonly ImportRecord[]): Promise<ImportResult>;
  /** `total` is what came of the whole file, for the audit log. */
  close(total: Imported): Promise<void>;
}

/** How many lines were stored, were there already, and were refused. */
interface Imported {
  readonly stored: number;
  readonly same: number;
  readonly refused: number;
}

/** What a request takes beside its records. */
const FRAME_BYTES = 64;

/** `file` is for the audit log. Throws a Failure when the folder can't be had. */
export async function openImporter(config: Config, log: Log, file: string): Promise<Importer> {
  const instance = await openInstance(config, log, () =>
    refuseForeignFolder(config.storage.dir, { isSimulated: false }),
  );
  const audit = (detail: AuditDetail) =>
    instance.ask({ command: "audit", kind: "import", detail: { file, ...detail } });
  let hasBegun = false;
  return {
    async store(records) {
      if (!hasBegun) await audit({ state: "started" });
      hasBegun = true;
      const total = { stored: 0, same: 0 };
      const refused: Refused[] = [];
      for (const part of fitting(records, instance.request_bytes_max, refused)) {
        const answer = readAnswer(
          ImportAnswer,
          await instance.ask({ command: "import", records: part }),
        );
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

/** The records in parts that each fit a request; one that fits none is refused. */
function* fitting(
  records: readonly ImportRecord[],
  bytes_max: number | null,
  refused: Refused[],
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
