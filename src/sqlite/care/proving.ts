// Proves all data that has a hash or a checksum, in steps that hold a reader's thread for some 20
// ms: a whole proof reads a gigabyte. Each table is also compared with its indexes, because a
// damaged index silently leaves rows out. Damage is reported and stops nothing.

import { messageOf } from "../../ground/errors.ts";
import { derivedProblems } from "../derived/derived.ts";
import { isDamage, SALVAGE } from "../file/damage.ts";
import { EMPTY_CHAIN } from "../file/hash-chain.ts";
import { type Connection, prepare } from "../file/open.ts";
import { isEntryWhole } from "../records/audit.ts";
import { provenData } from "../records/event-proof.ts";
import { openLeafProof } from "../records/leaf-proof.ts";
import { proveBuckets } from "../sealed/bucket-proof.ts";
import { hotProblems } from "../sealed/hot.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { factFaults } from "./facts.ts";

/** Number of segments in a step. Each takes 0.1 ms to prove, and some more to read. */
const STEP_SEGMENTS = 64;
/** Number of events, audit entries or leaves of the ledger in a step. Each takes some 20 µs. */
const STEP_LINKS = 500;
/** Number of rows of derived data in a step. Each takes some 5 µs. */
const STEP_ROWS = 4000;

/**
 * The place after which the proof continues: a number in a chain, a table by name, hours and days,
 * or rows of other derived data.
 */
export interface ProofPlace {
  readonly chain: "segment" | "event" | "audit" | "ledger" | "table" | "bucket" | "row";
  readonly id: number;
}

/** The place at which a proof begins. */
export const PROOF_BEGIN: ProofPlace = { chain: "segment", id: 0 };

/** The result of a step; `next` is null after the last step. */
export interface Proven {
  readonly segments: number;
  /** Number of segments in the chain; known after the last step. */
  readonly of_segments?: number;
  readonly next: ProofPlace | null;
  /** The damage found in this step. */
  readonly problems: readonly string[];
}

/** Maximum number of problems reported about derived data; more say nothing new. */
const PROBLEMS_MAX = 1000;

const PROVABLE = [
  /^(segment \d|the event of |entry \d|leaf \d|the table |the unsealed reading of )/,
  /^[a-z_]+: the row of /,
];

/** True if every proof reports this problem again for as long as it exists. */
export function isProvable(problem: string): boolean {
  return PROVABLE.some((begins) => begins.test(problem));
}

/** The last link proven in a step, after which the next step begins; null at the chain's end. */
interface ChainStep {
  readonly last: number | null;
  readonly problems: readonly string[];
}

/**
 * Proves the next links of a chain. After all chains follow the tables, the hours and days, and
 * other derived data.
 */
export function proveAfter(db: Connection, { chain, id }: ProofPlace): Proven {
  return db.transaction((): Proven => {
    switch (chain) {
      case "segment":
        return proveSegments(db, id);
      case "event": {
        const { last, problems } = proveEvents(db, id);
        const next = last === null ? ({ chain: "audit", id: 0 } as const) : { chain, id: last };
        return { segments: 0, next, problems };
      }
      case "audit": {
        const { last, problems } = proveAudit(db, id);
        const next = last === null ? ({ chain: "ledger", id: 0 } as const) : { chain, id: last };
        return { segments: 0, next, problems };
      }
      case "ledger": {
        const { last, problems } = proveLeaves(db, id);
        const next = last === null ? ({ chain: "table", id: 0 } as const) : { chain, id: last };
        return { segments: 0, next, problems };
      }
      case "table": {
        const { last, problems } = proveTable(db, id);
        if (last !== null) return { segments: 0, next: { chain, id: last }, problems };
        const next = { chain: "bucket", id: 0 } as const;
        return { segments: 0, next, problems: [...hotProblems(db)].slice(0, PROBLEMS_MAX) };
      }
      case "bucket": {
        const { last_id, damaged } = proveBuckets(db, id);
        const next = last_id === null ? { chain: "row" as const, id: 0 } : { chain, id: last_id };
        return { segments: 0, next, problems: damaged.map(({ problem }) => problem) };
      }
      case "row": {
        const { problems, rows } = derivedProblems(db, { skip: id, limit: STEP_ROWS });
        if (rows === 0) {
          const found = [...problems, ...factFaults(db)];
          return { segments: 0, of_segments: segmentsIn(db), next: null, problems: found };
        }
        return { segments: 0, next: { chain, id: id + rows }, problems };
      }
    }
  })();
}

function proveSegments(db: Connection, id: number): Proven {
  const segments = segmentsOf(db);
  segments.refresh();
  const spans = segments.after(id, STEP_SEGMENTS);
  const problems = spans.map((span) => segments.prove(span)).filter((said) => said !== null);
  const last = spans.at(-1);
  const next = last === undefined ? "event" : "segment";
  return { segments: spans.length, next: { chain: next, id: last?.id ?? 0 }, problems };
}

/** Number of the newest segment; segments whose readings have expired count too. */
const segmentsIn = (db: Connection) => prepare(db, "segment.newest").get({})?.id ?? 0;

function proveEvents(db: Connection, id: number): ChainStep {
  const problems: string[] = [];
  const rows = prepare(db, "event.chain").all({
    id,
    limit: STEP_LINKS,
  });
  for (const row of rows)
    try {
      provenData(row);
    } catch (error) {
      if (!isDamage(error)) throw error;
      problems.push(messageOf(error));
    }
  return { last: rows.at(-1)?.id ?? null, problems };
}

/**
 * Proves entries of the audit log, as `proveEvents` does events. An entry after a damaged one has
 * no valid hash to be checked against.
 */
function proveAudit(db: Connection, id: number): ChainStep {
  const problems: string[] = [];
  const page = prepare(db, "audit.chain");
  const rows = page.all({ id, limit: STEP_LINKS });
  let previous: Uint8Array | null =
    id === 0 ? EMPTY_CHAIN.hash : (page.get({ id: id - 1, limit: 1 })?.hash ?? null);
  for (const row of rows) {
    const isWhole: boolean = previous === null || isEntryWhole(row, previous);
    if (!isWhole) problems.push(`entry ${row.id} of the audit log isn't what was stored`);
    previous = isWhole ? row.hash : null;
  }
  return { last: rows.at(-1)?.id ?? null, problems };
}

function proveLeaves(db: Connection, id: number): ChainStep {
  const rows = prepare(db, "ledger.page").all({ id, limit: STEP_LINKS });
  const proof = openLeafProof(db);
  const problems = rows.map(proof).filter((said) => said !== null);
  return { last: rows.at(-1)?.id ?? null, problems };
}

/** Compares one table with its indexes. */
function proveTable(db: Connection, id: number): ChainStep {
  const found = prepare<"schema.proven_table", { name: string }>(db, "schema.proven_table").get({
    id,
  });
  if (found === undefined) return { last: null, problems: [] };
  const said = tableProblems(db, found.name);
  const more = said.length > 1 ? `, and ${said.length - 1} more` : "";
  const problem = `the table ${found.name}: ${said[0]}${more}; stop ballastd and ${SALVAGE}`;
  return { last: id + 1, problems: said.length === 0 ? [] : [problem] };
}

function tableProblems(db: Connection, table: string): readonly string[] {
  try {
    const rows = prepare<"schema.table_integrity", { said: string }>(
      db,
      "schema.table_integrity",
    ).all({ table });
    return rows.map(({ said }) => said.replace(/\s+/g, " ")).filter((said) => said !== "ok");
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [messageOf(error)];
  }
}
