// The parts of a service while it starts and runs, as readiness and metrics look at them: what
// isn't there yet is null.

import type { Build } from "../assets.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Http } from "../http/server.ts";
import type { DamageRegister } from "../jobs/damage-register.ts";
import type { JobStates } from "../jobs/job-states.ts";
import type { MqttDoor } from "../mqtt/status.ts";
import type { ReaderThreads } from "../sqlite/readers.ts";
import type { Writer } from "../sqlite/writer.ts";
import type { AuditDesk } from "./audit-desk.ts";
import type { Certificates } from "./certificates.ts";

/** What has been opened so far; what is null isn't there yet. */
export interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly build: Build;
  readonly isSimulated: boolean;
  readonly audit: AuditDesk;
  readonly certificates: Certificates;
  /** The register of damaged data. */
  readonly damage: DamageRegister;
  /** The states of the background jobs. */
  readonly jobs: JobStates;
  http: Http | null;
  writer: Writer | null;
  readers: ReaderThreads | null;
  mqtt: MqttDoor | null;
}
