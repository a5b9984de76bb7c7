// The types of a job and its tools. Like all other code a job reads through the readers, computes
// with the domain, and saves through the writer.

import type { ShoreAnswer } from "../bwts/documents/shore-answer.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import type { Backup, BackupLabel } from "../sqlite/care/backup.ts";
import type { ReaderThreads } from "../sqlite/threads/readers.ts";
import type { Writer } from "../sqlite/threads/writer.ts";
import type { DamageRegister } from "./damage-register.ts";
import type { JobStates } from "./job-states.ts";

/** The tools of a job. */
export interface JobTools {
  readonly readers: ReaderThreads;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly log: Log;
  readonly storage: Config["storage"];
  readonly alarms: Config["alarms"];
  readonly limits: Pick<Config["limits"], "source">;
  readonly backup: Config["backup"];
  readonly system_id: string;
  /** The register of damaged data. */
  readonly damage: DamageRegister;
  /** The states of all jobs. */
  readonly jobs: JobStates;
  /** The link to the office; null while it isn't known. */
  readonly shore: () => Promise<ShoreAnswer | null>;
  /** Hours without an answer of the office after which an alert is raised; 0: never. */
  readonly alarm_hours: () => number;
  /** The MQTT connection or broker, and its problem; null until it is opened. */
  readonly link: () => {
    readonly mode: "embedded" | "client";
    readonly where: string;
    readonly problem: string | null;
  } | null;
  /** The certificates in use, and the problem of each. */
  readonly certificates: () => readonly {
    readonly use: string;
    readonly ends_ms: number;
    readonly problem: string | null;
  }[];
  /** Signs a head of the ledger. */
  signHead(reason: "start" | "stop" | "daily" | "export"): Promise<{ readonly size: number }>;
  /** Makes a backup in a thread of its own. Rejects with a Failure. */
  makeBackup(output: string, label: Pick<BackupLabel, "made_ms" | "reason">): Promise<Backup>;
  /** Aborted when the process ends: a job with many steps makes no further one. */
  readonly ending: AbortSignal;
}

/** The time at which a job runs, besides the start. */
export type JobTime =
  /** The interval, by the steady clock. */
  | { readonly every_ms: number }
  /** The clock time in UTC, as a pattern of node-cron. */
  | { readonly pattern: string };

/** An entry of the job table. */
export interface Job {
  readonly name: string;
  readonly when: JobTime;
  /** At the start, the job runs if its last run is older than this. */
  readonly catch_up_ms: number;
  /** Does the work; the result is recorded, null if there was nothing to do. */
  readonly run: (tools: JobTools) => Promise<string | null>;
}
