// Makes a new database from the readable parts of a damaged one. Readings, segments, events, the
// audit log and the quarantine come from the pages themselves, each row proven by its checksum or
// hash. Small tables are read through SQLite as far as possible; counts and buckets are recomputed.
// The audit log of the new database continues with an entry about the losses.

import { mkdirSync, rmSync } from "node:fs";
import type { By } from "../../bwts/audit.ts";
import { type ChainName, chainHead } from "../file/hash-chain.ts";
import { putMark } from "../file/mark.ts";
import { damagedSchema, migrate, missingMigrations } from "../file/migrate.ts";
import { type Connection, openWriter, prepare } from "../file/open.ts";
import { openAuditLog } from "../records/audit.ts";
import { openClockTrust } from "../records/clock-trust.ts";
import { PLC_OFFSET } from "../records/clock-watch.ts";
import { restoreLampSpares } from "../records/lamp-spares.ts";
import { BYTES_MARK } from "../records/quarantine.ts";
import { RAW_FROM } from "../sealed/timeline.ts";
import { takeAudit, takeEvents, takeSegments } from "./chains.ts";
import { removeDatabase } from "./database.ts";
import { restoreSettings } from "./facts.ts";
import { emptyHarvest, harvest } from "./found-rows.ts";
import { hotLosses, takeHotRows } from "./hot-rows.ts";
import { takeLedger } from "./ledger.ts";
import type { Loss } from "./loss.ts";
import { markAllDue, recreateAlerts, recreateVoids } from "./lost-tables.ts";
import { openPageFile, type PageFile } from "./page-file.ts";
import { openSource, type SalvageSource } from "./source.ts";
import { sealedCount, shortDays, sumUp, takeOldBuckets } from "./sums.ts";
import { columnsOf, lostQuarantine, takeQuarantine, takeTables } from "./tables.ts";
import { isDamagedFile } from "./trust.ts";
import { type VerifyResult, verifyChains } from "./verify.ts";

/** The result of a salvage. */
export interface SalvageCounts {
  /** Numbers of sealed and unsealed readings. */
  readonly readings: { readonly sealed: number; readonly unsealed: number };
  readonly events: number;
  readonly audit: number;
  readonly quarantine: number;
  /** Number of sealed readings according to the damaged database's counts; null without them. */
  readonly sealed_before: number | null;
  /** The reason why the write-ahead log was left out; null if it was used or absent. */
  readonly log: string | null;
  readonly losses: readonly Loss[];
  /** The head of each chain in the damaged database, null if not found, and in the new one. */
  readonly heads_before: Readonly<Record<ChainName, string | null>>;
  readonly heads: Readonly<Record<ChainName, string>>;
}

export interface SalvageOptions {
  /** The damaged database, which isn't changed. */
  readonly file: string;
  /** The new database; the file must not exist. */
  readonly to: string;
  readonly now_ms: number;
  readonly built_ms: number;
  /** The problem found, for the audit log. */
  readonly problem: string;
  readonly by: By;
}

/** Maximum number of losses in the audit log; the command prints all. */
const LOSSES_KEPT = 100;

/** Makes the new database. Throws system errors, and then leaves no file. */
export function salvage(options: SalvageOptions): SalvageCounts {
  const { file, to } = options;
  const work = `${to}.work`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  try {
    const source = openSource(file, work);
    refuseOthers(source.db);
    const pages = openPageFile(source.file, source.log);
    const db = openWriter(to);
    try {
      migrate(db, options.now_ms);
      return db.transaction(() => takeOver(db, { source, pages }, options))();
    } finally {
      pages.close();
      source.close();
      db.close();
    }
  } catch (error) {
    removeDatabase(to);
    throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// Throws if the database is of another version, whose additional data this program would lose.
function refuseOthers(db: Connection | null): void {
  try {
    // A damaged list of migrations proves nothing.
    if (db !== null && damagedSchema(db) === null) missingMigrations(db);
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
  }
}

interface Damaged {
  readonly source: SalvageSource;
  readonly pages: PageFile;
}

function takeOver(
  db: Connection,
  { source, pages }: Damaged,
  options: SalvageOptions,
): SalvageCounts {
  const found = emptyHarvest();
  harvest(pages, columnsOf(db), found);
  const { raw_from_ms } = found;
  if (raw_from_ms > 0) putMark(db, RAW_FROM, raw_from_ms);
  const losses: Loss[] = [
    ...takeSegments(db, found),
    ...takeEvents(db, found),
    ...takeAudit(db, found),
  ];
  const unsealed = takeHotRows(db, found);
  losses.push(...takeSmall(db, source, raw_from_ms), ...logLoss(source));
  restoreSettings(db);
  restoreLampSpares(db);
  losses.push(...takeLedger(db, source.db));
  recreateVoids(db, losses);
  const plc_offset_ms = plcOffset(source.db);
  if (plc_offset_ms !== null) putMark(db, PLC_OFFSET, plc_offset_ms);
  recreateAlerts(db, { losses, plc_offset_ms: plc_offset_ms ?? 0 });
  const quarantine = takeQuarantine(db, found.quarantine.values());
  losses.push(...lostQuarantine(source.db, found.quarantine));
  putMark(db, BYTES_MARK, quarantine.bytes);
  sumUp(db);
  markAllDue(db, losses);
  losses.push(...hotLosses(db, found, source.db), ...shortDays(db, source.db, raw_from_ms));
  const log = source.isForeignLog
    ? "the file is whole without its write-ahead log and isn't with it: it is another database's"
    : null;
  const sealed_before = sealedCount(source.db, raw_from_ms);
  const heads_before = {
    segment: hexOf(found.heads.get("segment")?.hash),
    event: hexOf(found.heads.get("event")?.hash),
    audit: hexOf(found.heads.get("audit")?.hash),
  };
  const heads = { segment: headOf(db, "segment"), event: headOf(db, "event") };
  const said = { problem: options.problem, log, sealed_before, unsealed };
  const kept = { losses: losses.slice(0, LOSSES_KEPT), losses_count: losses.length };
  writeEntry(db, options, { ...said, ...kept, heads_before, heads_after: heads });
  const verified = verifiedOrThrow(db);
  return {
    readings: { sealed: sealedCount(db, raw_from_ms) ?? 0, unsealed },
    events: verified.events,
    audit: verified.audit,
    quarantine: quarantine.count,
    sealed_before,
    log,
    losses,
    heads_before,
    heads: { ...heads, audit: headOf(db, "audit") },
  };
}

function takeSmall(db: Connection, source: SalvageSource, raw_from_ms: number): readonly Loss[] {
  if (source.db === null) {
    const why =
      "the schema can't be read: tokens, plants, words on lamps, ballastd's own alarms, and " +
      "records that came over MQTT; health and gaps are recomputed from the readings, voids and " +
      "who acknowledged an alarm from the audit log";
    return [{ what: "table", name: null, readings: null, from: null, to: null, why }];
  }
  return [...takeTables(db, source.db), ...takeOldBuckets(db, source.db, raw_from_ms)];
}

/** The PLC's clock minus the box's in ms, by which alarms count as late; null if it isn't known. */
function plcOffset(db: Connection | null): number | null {
  try {
    return (db && prepare(db, "mark.at").get({ name: PLC_OFFSET })?.value) ?? null;
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    return null;
  }
}

/**
 * The loss of a log that can't be read. Its times are unknown: late readings may be of any time.
 */
function logLoss({ unread }: SalvageSource): readonly Loss[] {
  if (unread === null) return [];
  const why = `${unread}; readings, events and changes of tables that only it tells are lost`;
  return [{ what: "log", name: null, readings: null, from: null, to: null, why }];
}

function writeEntry(
  db: Connection,
  { now_ms, built_ms, by }: SalvageOptions,
  detail: Readonly<Record<string, unknown>>,
): void {
  const clock_trusted = openClockTrust(db, built_ms).trusts(now_ms);
  const entry = { ...by, at_ms: now_ms, kind: "salvage" as const, detail };
  openAuditLog(db).add(entry, { clock_trusted });
}

function verifiedOrThrow(db: Connection): VerifyResult {
  const verified = verifyChains(db, () => {});
  if (verified.problem !== null) throw new Error(`salvaged: ${verified.problem}`);
  return verified;
}

function headOf(db: Connection, chain: ChainName): string {
  return Buffer.from(chainHead(db, chain).hash).toString("hex");
}

function hexOf(hash: Uint8Array | undefined): string | null {
  return hash === undefined ? null : Buffer.from(hash).toString("hex");
}
