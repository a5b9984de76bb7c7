// The parts of a service while it starts and runs, as readiness and metrics use them. A part that
// isn't open yet is null.

import type { Config } from "../config/config.ts";
import type { Build } from "../ground/assets.ts";
import type { Clock } from "../ground/clock.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import type { Stream } from "../http/stream.ts";
import type { DamageRegister } from "../jobs/damage-register.ts";
import type { JobStates } from "../jobs/job-states.ts";
import type { Schedule } from "../jobs/schedule.ts";
import type { MqttEndpoint } from "../mqtt/endpoint.ts";
import type { SparkplugNode } from "../scada/edge-node.ts";
import type { ModbusServer } from "../scada/modbus-server.ts";
import type { ShoreService } from "../shore/shore.ts";
import type { ReaderThreads } from "../sqlite/threads/readers.ts";
import type { Writer } from "../sqlite/threads/writer.ts";
import type { AuditQueue } from "./audit-queue.ts";
import type { Certificates } from "./certificates.ts";
import type { LedgerSigner } from "./control/signer.ts";
import type { IngestRate } from "./ingest-rate.ts";
import type { Http } from "./server.ts";

/** The parts opened so far; null for the others. */
export interface OpenedParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly build: Build;
  readonly isSimulated: boolean;
  readonly audit: AuditQueue;
  readonly certificates: Certificates;
  /** The register of damaged data. */
  readonly damage: DamageRegister;
  /** The states of the background jobs. */
  readonly jobs: JobStates;
  readonly stream: Stream;
  readonly ingestRate: () => IngestRate;
  http: Http | null;
  writer: Writer | null;
  readers: ReaderThreads | null;
  /** Signs the heads of the ledger. */
  signer: LedgerSigner | null;
  mqtt: MqttEndpoint | null;
  schedule: Schedule | null;
  /** Null also if Modbus is off. */
  modbus: ModbusServer | null;
  shore: ShoreService | null;
  /** Null also if Sparkplug is off. */
  sparkplug: SparkplugNode | null;
}

/** The writer. Throws a temporary Failure while the database is being opened. */
export function openedWriter({ writer }: Pick<OpenedParts, "writer">): Writer {
  if (writer === null) throw new Failure(EXIT.temporary, "the database is being opened");
  return writer;
}
