// The HTTP service of recovery mode: the page with the problem, the manual, /healthz and /readyz,
// and, if folder and database can be read, the whole reading API. Nothing is written, not even a
// token.

import { existsSync } from "node:fs";
import { spansOf } from "../../bwts/plausible.ts";
import type { StoredToken } from "../../bwts/token.ts";
import type { Config } from "../../config/config.ts";
import type { Listen } from "../../config/values.ts";
import { readBuild } from "../../ground/assets.ts";
import { systemClock } from "../../ground/clock.ts";
import { EXIT, Failure, messageOf } from "../../ground/errors.ts";
import type { ProgramLog } from "../../ground/log.ts";
import type { HttpOptions } from "../../http/route.ts";
import { readManual } from "../../http/static-files.ts";
import { openStream, type Stream } from "../../http/stream.ts";
import { type DamageRegister, openDamageRegister } from "../../jobs/damage-register.ts";
import { openJobStates } from "../../jobs/job-states.ts";
import { missingMigrations } from "../../sqlite/file/migrate.ts";
import { databaseFile, openReader, sqliteVersion } from "../../sqlite/file/open.ts";
import { ReadersBusy } from "../../sqlite/file/query.ts";
import { storedTokens } from "../../sqlite/records/tokens.ts";
import { openReaderThreads, type ReaderThreads } from "../../sqlite/threads/readers.ts";
import { openAskedSupport } from "../asked-support.ts";
import { openAuditQueue } from "../audit-queue.ts";
import { type Certificates, openCertificates } from "../certificates.ts";
import { askedSheet } from "../control/asked-sheet.ts";
import { NO_RATE } from "../ingest-rate.ts";
import { openMetrics } from "../metrics.ts";
import type { OpenedParts } from "../parts.ts";
import { clockOf, readinessOf } from "../readiness.ts";
import { tokenIn } from "../secret-files.ts";
import { openHttp } from "../server.ts";
import { systemNow } from "../system-now.ts";
import { readerRole, WORKER_FILE } from "../threads.ts";
import { holderLookup } from "../tokens.ts";
import { recoveryFiles, type Trouble } from "./recovery-page.ts";

const NO_CERTIFICATES: Certificates = { http: null, mqtt: null, sparkplug: null, all: [] };

export interface RecoveryFront {
  /** The URLs at which the page is served. */
  readonly urls: readonly string[];
  /** One reason for each address that can't be bound yet. */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

/** Serves on `listen`; an address that can't be bound yet is tried again. */
export async function openRecoveryFront(
  trouble: Trouble,
  { listen, log }: { readonly listen: readonly Listen[]; readonly log: ProgramLog },
): Promise<RecoveryFront> {
  const { config, isSure } = trouble.readable;
  // If the data folder or an access rule can't be read, its default must not be used instead.
  const isFolderSure = isSure("storage", "dir");
  const damage = openDamageRegister(log);
  const stored = isFolderSure ? await openStored(config, { log, damage }) : null;
  const monitoring = isSure("auth", "monitoring") ? config.auth.monitoring : "token";
  const token = isFolderSure ? knownToken(config) : config.auth.token;
  const certificates = certificatesOf(config, log);
  const parts = partsOf({ config, log, damage, certificates, stored });
  const closeStored = async () => {
    await stored?.readers.close();
    for (const certificate of certificates.all) certificate.close();
  };
  const metrics = openMetrics(parts, unknownShore);
  try {
    const http = await openHttp({
      listen,
      ...{ missing: "wait", certificate: certificates.http },
      ...{ allowed_hosts: config.http.allowed_hosts, lamps: config.lamps },
      ...{ cors_origins: config.http.cors_origins, monitoring, record_book: config.record_book },
      spans: spansOf(config.limits),
      holderOf: holderLookup(token, () => stored?.tokens ?? []),
      note: parts.audit.note,
      readers: {
        async ask(query) {
          if (stored === null) throw new ReadersBusy("recovery: nothing stored can be read");
          return stored.readers.ask(query);
        },
      },
      write: refuseToStore,
      stream: parts.stream,
      ...{ clock: () => clockOf(parts), inspection: askedSheet(parts), seenTopics: () => [] },
      ...{ backUp: refuseToStore, settings: NO_SETTINGS, tokens: NO_TOKENS },
      support: openAskedSupport({ file: trouble.readable.file, env: process.env }),
      shore: unknownShore,
      system: () => systemNow(parts, sqliteVersion()),
      readiness: () => ({ ...readinessOf(parts), ready: false, reasons: [trouble.problem] }),
      metrics: metrics.text,
      onAnswered: metrics.onAnswered,
      build: parts.build,
      sqliteVersion: sqliteVersion(),
      files: new Map([
        ...readManual(),
        ...recoveryFiles({
          ...trouble,
          build: parts.build,
          canRead: stored !== null,
          needsToken: monitoring === "token",
        }),
      ]),
      log: log.area("http"),
    });
    const scheme = certificates.http === null ? "http" : "https";
    return {
      urls: http.addresses().map((address) => `${scheme}://${address}/`),
      missing: http.problems(),
      async close() {
        await http.close();
        await closeStored();
      },
    };
  } catch (error) {
    await closeStored();
    throw error;
  }
}

function partsOf({
  log,
  stored,
  ...parts
}: Pick<OpenedParts, "config" | "damage" | "certificates"> & {
  readonly log: ProgramLog;
  readonly stored: StoredData | null;
}): OpenedParts {
  return {
    ...parts,
    clock: systemClock,
    build: readBuild(),
    isSimulated: false,
    audit: openAuditQueue({ clock: systemClock, log }),
    jobs: openJobStates(),
    stream: closedStream(log),
    ingestRate: () => NO_RATE,
    schedule: null,
    writer: null,
    readers: stored?.readers ?? null,
    signer: null,
    http: null,
    mqtt: null,
    modbus: null,
    shore: null,
    sparkplug: null,
  };
}

/** A stream that refuses all clients: without a writer there are no events. */
function closedStream(log: ProgramLog): Stream {
  const stream = openStream({ now_ms: systemClock.now_ms, facts: () => null, log });
  stream.close();
  return stream;
}

const unknownShore = async () => null;

const IN_RECOVERY = "the service is in recovery: mend the file aboard, it is read again by itself";

const NO_TOKENS = { make: refuseToStore, first: () => null } as const;
const NO_SETTINGS: HttpOptions["settings"] = {
  now() {
    throw new Failure(EXIT.temporary, IN_RECOVERY);
  },
  change: async () => ({ outcome: "file", problem: IN_RECOVERY, reasons: [] }),
  test: refuseToStore,
};

async function refuseToStore(): Promise<never> {
  throw new Failure(EXIT.temporary, "recovery: nothing is stored");
}

// An unusable certificate must not hide the page.
function certificatesOf(config: Config, log: ProgramLog): Certificates {
  try {
    return openCertificates(config, { clock: systemClock, log });
  } catch {
    return NO_CERTIFICATES;
  }
}

interface StoredData {
  readonly readers: ReaderThreads;
  readonly tokens: readonly StoredToken[];
}

/** Readers of a database of this program's schema; null if there is none to read. */
async function openStored(
  config: Config,
  { log, damage }: { readonly log: ProgramLog; readonly damage: DamageRegister },
): Promise<StoredData | null> {
  const { dir } = config.storage;
  const file = databaseFile(dir);
  if (!existsSync(file)) return null;
  try {
    const db = openReader(file);
    const isOurs = missingMigrations(db).length === 0;
    const tokens = isOurs ? storedTokens(db) : [];
    db.close();
    if (!isOurs) return null;
    const role = readerRole(config);
    const workerFile = WORKER_FILE;
    return {
      tokens,
      readers: await openReaderThreads({ workerFile, role, log, onDamage: damage.note }),
    };
  } catch (error) {
    log.warn("recovery: stored data can't be read", { problem: messageOf(error) });
    return null;
  }
}

/** The configured token; "" if there is none that can be read. */
function knownToken({ auth }: Config): string {
  if (auth.token !== "") return auth.token;
  try {
    return tokenIn(auth.token_file);
  } catch {
    return "";
  }
}
