// THE COMMANDS: every command of the program by its name, in the order for people. The list of
// `ballastd --help` and the manual's table are made from this. A command is loaded when it is
// needed: with all of them loaded `serve` took 6 MB more, as long as it ran.

import type { LoadHelp } from "../words.ts";

/** The exports of every other module in this folder. */
export interface Command {
  /** Half a line about the command, for the list of commands. */
  readonly summary: string;
  /** The text of `--help`: usage, options, examples. */
  readonly help: string;
  /** Resolves when the work is done. Throws a Failure for a problem that the user can mend. */
  readonly run: (args: readonly string[], load: LoadHelp) => Promise<void>;
}

/** Loaders of the commands, by name. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({
    serve: () => import("./serve.ts"),
    demo: () => import("./demo.ts"),
    simulate: () => import("./simulate.ts"),
    operations: () => import("./operations.ts"),
    export: () => import("./export.ts"),
    sql: () => import("./sql.ts"),
    import: () => import("./import.ts"),
    quarantine: () => import("./quarantine.ts"),
    void: () => import("./void.ts"),
    clock: () => import("./clock.ts"),
    map: () => import("./map.ts"),
    lamp: () => import("./lamp.ts"),
    alarm: () => import("./alarm.ts"),
    "record-book": () => import("./record-book.ts"),
    reconcile: () => import("./reconcile.ts"),
    verify: () => import("./verify.ts"),
    ledger: () => import("./ledger.ts"),
    inspection: () => import("./inspection.ts"),
    backup: () => import("./backup.ts"),
    restore: () => import("./restore.ts"),
    update: () => import("./update.ts"),
    rollback: () => import("./rollback.ts"),
    salvage: () => import("./salvage.ts"),
    token: () => import("./token.ts"),
    check: () => import("./check.ts"),
    config: () => import("./config.ts"),
    log: () => import("./log.ts"),
    support: () => import("./support.ts"),
    shore: () => import("./shore.ts"),
    fleet: () => import("./fleet.ts"),
    completion: () => import("./completion.ts"),
    version: () => import("./version.ts"),
    licenses: () => import("./licenses.ts"),
  }),
);

/** The help of every command. */
export const loadHelp: LoadHelp = async () =>
  (await allCommands()).map(([name, { help }]) => ({ name, help }));

/** Loads every command; each has its name. */
export function allCommands(): Promise<readonly (readonly [name: string, command: Command])[]> {
  return Promise.all([...COMMANDS].map(async ([name, load]) => [name, await load()] as const));
}
