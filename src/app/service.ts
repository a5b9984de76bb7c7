// The running appliance, started in the order of dependence. HTTP comes first, so that supervisors
// and people see the progress; MQTT comes last, so that no message is received that can't be
// stored.

import { BY_SELF } from "../bwts/audit.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { type Build, readBuild } from "../ground/assets.ts";
import { systemClock } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log, ProgramLog } from "../ground/log.ts";
import { type BeatFacts, openStream } from "../http/stream.ts";
import { openDamageRegister } from "../jobs/damage-register.ts";
import type { JobTools } from "../jobs/job.ts";
import { openJobStates } from "../jobs/job-states.ts";
import { openSchedule } from "../jobs/schedule.ts";
import type { MqttEndpoint } from "../mqtt/endpoint.ts";
import { openShore, type ShoreService } from "../shore/shore.ts";
import { lockFolder } from "../sqlite/file/lock.ts";
import { sqliteVersion } from "../sqlite/file/open.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import { backUpInThread } from "../sqlite/threads/backup-thread.ts";
import { openReaderThreads, type ReaderThreads } from "../sqlite/threads/readers.ts";
import { openWriterThread, type Writer } from "../sqlite/threads/writer.ts";
import type { Restarts } from "./asked-config.ts";
import { openAskedSupport, type StartConfig } from "./asked-support.ts";
import { openAuditQueue } from "./audit-queue.ts";
import { openCertificates } from "./certificates.ts";
import { backupOrder } from "./control/backups.ts";
import { type Control, openControl } from "./control/control.ts";
import type { ReportAnswer } from "./control/protocol.ts";
import type { LedgerSigner } from "./control/signer.ts";
import { openTap } from "./control/tap.ts";
import { openUpdateTrial, type UpdateTrial } from "./control/update-trial.ts";
import { openFront, openLiveView, openMqtt } from "./endpoints.ts";
import { openHeadSigner } from "./head-signer.ts";
import { openIngestRate } from "./ingest-rate.ts";
import { openLostLinks } from "./lost-links.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import type { OpenedParts } from "./parts.ts";
import { readinessOf } from "./readiness.ts";
import { openSeenTopics } from "./seen-topics.ts";
import type { Http } from "./server.ts";
import { openShipAlarms } from "./ship-alarms.ts";
import { openShoreNow, type ShoreNow } from "./shore-now.ts";
import { settingsOf } from "./shown-config.ts";
import { refuseForeignFolder } from "./simulated.ts";
import { readerRole, WORKER_FILE, writerRole } from "./threads.ts";

/** The appliance while it runs. */
export interface Service {
  readonly build: Build;
  readonly sqlite: string;
  /** The URLs of the page and the API. */
  readonly web: readonly string[];
  /** The URLs to which publishers connect (embedded), or of the ship's broker (client). */
  readonly broker: readonly string[];
  /** One reason for each address that couldn't be bound at the start; it is tried again. */
  readonly missing: readonly string[];
  readonly writer: Writer;
  /** Reads the certificates again. */
  reload(): void;
  /**
   * Resolves when the writer and every reader have replied, even if nothing can be committed. It
   * doesn't resolve while a thread hangs.
   */
  alive(): Promise<void>;
  /** Stops receiving, commits all received messages, ends the threads. */
  close(): Promise<void>;
}

interface ServiceOptions {
  readonly config: Config;
  readonly given: StartConfig;
  readonly log: ProgramLog;
  readonly isSimulated: boolean;
  readonly restarts: Restarts;
  /** Called when the service can't go on and the process should end. */
  readonly onLost: (error: Error) => void;
}

/**
 * Starts everything. Throws a Failure, with everything closed again, if the folder or the database
 * can't be used. If an address can't be bound, it is tried again.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, log, given, restarts } = options;
  const { dir } = config.storage;
  const build = readBuild();
  const parts = unopened(options, build);
  const seen = openSeenTopics(config);
  const lock = lockFolder(dir);
  let control: Control | null = null;
  const close = async (problem: string | null = null) => {
    // In this order: no more messages are received, answers finish, then their sources are closed.
    await parts.mqtt?.close();
    await control?.close();
    await parts.http?.close();
    for (const link of [parts.modbus, parts.shore, parts.sparkplug]) await link?.close();
    await parts.schedule?.close();
    await parts.readers?.close();
    await parts.audit.close({ ...BY_SELF, kind: "stop", detail: { problem } });
    await parts.writer?.close();
    for (const certificate of parts.certificates.all) certificate.close();
    lock.release();
  };
  let trial: UpdateTrial | null = null;
  try {
    refuseForeignFolder(dir, options);
    trial = openUpdateTrial(config, build, log);
    const shore = openShoreNow(parts);
    const [sqlite, metrics] = [sqliteVersion(), openMetrics(parts, shore)];
    parts.http = await openFront(parts, {
      ...{ sqlite, metrics, shore, seen, log: log.area("http") },
      ...{ support: openAskedSupport(given), given, restarts },
    });
    const storage = { log: log.area("storage"), onLost: options.onLost };
    const { writer, readers } = await openThreads(parts, storage);
    const signer = openHeadSigner(config, { writer, log: storage.log });
    parts.signer = signer;
    await trial.prove(readers);
    if (trial.entry !== null) parts.audit.write(trial.entry);
    trial.passed();
    const report = () => reportOf(parts, { metrics, log });
    const reloadShore = async () => parts.shore?.configure(loadConfig(given).config.shore);
    const sendAshore = async (range: ClosedRange) => (await parts.shore?.send(range)) ?? null;
    const shoreActs = { shore, sendAshore, reloadShore };
    const commanded = { dir, writer, signer, tap: openTap(writer), log, ...shoreActs };
    control = await openControl({ ...commanded, report, restart: restarts.end });
    const work = jobTools(parts, shore, { readers, writer, signer, log: log.area("jobs") });
    parts.schedule = openSchedule(work, writer.state.job_runs);
    parts.shore = await openShoreLink(parts, { readers, writer, log: log.area("shore") });
    parts.modbus = await openShipAlarms(parts, log.area("modbus"));
    parts.sparkplug = openLiveView(parts, { readers, log: log.area("sparkplug") });
    const tools = { topics: seen.filters, take: seen.noting(writer.take), log: log.area("mqtt") };
    const links = openLostLinks(writer, tools.log);
    await links.begin();
    parts.mqtt = await openMqtt(parts, { ...tools, links });
    return {
      build,
      sqlite,
      ...urlsOf(parts, parts.http, parts.mqtt),
      writer,
      reload() {
        for (const certificate of parts.certificates.all) certificate.reload();
      },
      alive: async () => void (await Promise.all([writer.call("ping"), readers.ping()])),
      close: () => close(),
    };
  } catch (error) {
    await close(messageOf(error));
    trial?.failed(error);
    throw error;
  }
}

/** The parts before anything is opened but the certificates, which must be valid. */
function unopened(
  { config, log, isSimulated }: { config: Config; log: ProgramLog; isSimulated: boolean },
  build: Build,
): OpenedParts {
  const tools = { clock: systemClock, log };
  const parts: OpenedParts = {
    config,
    clock: systemClock,
    build,
    isSimulated,
    certificates: openCertificates(config, tools),
    audit: openAuditQueue(tools),
    damage: openDamageRegister(log.area("storage")),
    jobs: openJobStates(),
    stream: openStream({
      now_ms: systemClock.now_ms,
      facts: () => beatFacts(parts),
      log: log.area("http"),
    }),
    ingestRate: openIngestRate(() => parts.writer?.totals() ?? null),
    ...{ writer: null, readers: null, signer: null, schedule: null, http: null, mqtt: null },
    ...{ modbus: null, shore: null, sparkplug: null },
  };
  return parts;
}

function beatFacts({ writer }: OpenedParts): BeatFacts | null {
  if (writer === null) return null;
  return { ...writer.totals(), plant_offset_ms: writer.readingOffset_ms() ?? 0 };
}

function urlsOf(
  { certificates }: OpenedParts,
  http: Http,
  endpoint: MqttEndpoint,
): Pick<Service, "web" | "broker" | "missing"> {
  const web = certificates.http === null ? "http" : "https";
  const broker = certificates.mqtt === null ? "mqtt" : "mqtts";
  const { mode, where, problem } = endpoint.status();
  return {
    web: http.addresses().map((address) => `${web}://${address}/`),
    broker:
      mode === "client"
        ? [where]
        : where.split(", ").flatMap((address) => (address ? `${broker}://${address}` : [])),
    missing: [...http.problems(), ...(mode === "client" || problem === null ? [] : [problem])],
  };
}

async function openThreads(
  parts: OpenedParts,
  { log, onLost }: { log: Log; onLost: (error: Error) => void },
): Promise<{ writer: Writer; readers: ReaderThreads }> {
  const { config, build } = parts;
  const workerFile = WORKER_FILE;
  const role = writerRole(config, build);
  const onDamage = parts.damage.note;
  const writing = openWriterThread({
    ...{ workerFile, role, log, onDamage, onLost },
    onCommitted(of) {
      parts.stream.committed(of);
      parts.sparkplug?.committed();
    },
  });
  // The readers' thread loads while the writer's thread opens the database.
  const reading = openReaderThreads({
    workerFile,
    role: readerRole(config),
    log,
    onDamage,
    database: writing,
  });
  const [written, read] = await Promise.allSettled([writing, reading]);
  // Kept also after a failed start, which must close them.
  if (written.status === "fulfilled") parts.writer = written.value;
  if (read.status === "fulfilled") parts.readers = read.value;
  const [writer, readers] = [await writing, await reading];
  parts.stream.begin((known) => readers.call("news", known));
  await parts.audit.begin(writer, {
    at_ms: parts.clock.now_ms(),
    detail: { version: build.version, commit: build.commit, simulated: parts.isSimulated },
    settings: settingsOf(config),
  });
  return { writer, readers };
}

function jobTools(
  parts: OpenedParts,
  shore: ShoreNow,
  { signer, ...tools }: Pick<JobTools, "readers" | "writer" | "log"> & { signer: LedgerSigner },
): Omit<JobTools, "ending"> {
  const { config, build, clock } = parts;
  return {
    ...{ ...tools, clock, signHead: signer.sign },
    storage: config.storage,
    alarms: config.alarms,
    limits: config.limits,
    backup: config.backup,
    system_id: config.system.id,
    damage: parts.damage,
    jobs: parts.jobs,
    shore,
    alarm_hours: () => parts.shore?.settings().alarm_hours ?? 0,
    link: () => parts.mqtt?.status() ?? null,
    certificates: () => parts.certificates.all.map((certificate) => certificate.state()),
    makeBackup: (output, label) =>
      backUpInThread(WORKER_FILE, backupOrder(config, build, { output, ...label })),
  };
}

async function reportOf(
  parts: OpenedParts,
  { metrics, log }: { readonly metrics: Metrics; readonly log: ProgramLog },
): Promise<ReportAnswer> {
  return {
    version: parts.build.version,
    pid: process.pid,
    uptime_s: process.uptime(),
    readiness: readinessOf(parts),
    metrics: await metrics.text(),
    log: [...log.memory.lines()],
    problems: [...log.memory.problems()],
  };
}

/** The link to the office; it stays idle without shore.url. */
async function openShoreLink(
  parts: OpenedParts,
  tools: { readonly readers: ReaderThreads; readonly writer: Writer; readonly log: Log },
): Promise<ShoreService> {
  const { config, build, clock, writer, audit } = parts;
  const noted = await tools.readers.call("shore_noted", clock.now_ms());
  const { sent_bytes, received_bytes } = noted.day;
  return openShore({
    ...tools,
    ...{ dir: config.storage.dir, version: build.version, settings: config.shore },
    used_bytes: sent_bytes + received_bytes,
    now_ms: clock.now_ms,
    isClockTrusted: () => writer?.totals().clock_trusted !== false,
    onParted: (parted) => audit.write({ ...BY_SELF, kind: "shore_fork", detail: { ...parted } }),
  });
}
