// THE COMMANDS: every command of the program by its name, in the order in which people read them.
// The list of `ballastd --help` and the manual's table are made of this.

import * as fleet from "../fleet/fleet.ts";
import * as inspection from "../ledger/inspection.ts";
import * as ledger from "../ledger/ledger.ts";
import * as operations from "../operations/operations.ts";
import * as reconcile from "../record-book/reconcile.ts";
import * as recordBook from "../record-book/record-book.ts";
import * as shore from "../shore/shore.ts";
import * as alarm from "./alarm.ts";
import * as backup from "./backup.ts";
import * as check from "./check.ts";
import * as clock from "./clock.ts";
import * as config from "./config.ts";
import * as demo from "./demo.ts";
import * as exportReadings from "./export.ts";
import * as importReadings from "./import.ts";
import * as lamp from "./lamp.ts";
import * as licenses from "./licenses.ts";
import * as log from "./log.ts";
import * as map from "./map.ts";
import * as quarantine from "./quarantine.ts";
import * as restore from "./restore.ts";
import * as rollback from "./rollback.ts";
import * as salvage from "./salvage.ts";
import * as serve from "./serve.ts";
import * as simulate from "./simulate.ts";
import * as sql from "./sql.ts";
import * as support from "./support.ts";
import * as token from "./token.ts";
import * as update from "./update.ts";
import * as verify from "./verify.ts";
import * as version from "./version.ts";
import * as voidReadings from "./void.ts";

/** The exports of every module of cli/. */
export interface Command {
  /** Half a line for the list of commands. */
  readonly summary: string;
  /** The text of `--help`: usage, options, examples. */
  readonly help: string;
  /** Resolves when the work is done. Throws a Failure for what the user can mend. */
  readonly run: (args: readonly string[]) => Promise<void>;
}

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    serve,
    demo,
    simulate,
    operations,
    export: exportReadings,
    sql,
    import: importReadings,
    quarantine,
    void: voidReadings,
    clock,
    map,
    lamp,
    alarm,
    "record-book": recordBook,
    reconcile,
    verify,
    ledger,
    inspection,
    backup,
    restore,
    update,
    rollback,
    salvage,
    token,
    check,
    config,
    log,
    support,
    shore,
    fleet,
    version,
    licenses,
  }),
);
