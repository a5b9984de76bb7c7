// The office's connection to its PostgreSQL server: by the given URL, else as libpq finds one, by
// PGHOST and similar variables or the server's socket on this machine. For the socket, root uses
// the rights of its owner, so that `sudo ballastd fleet` logs in as postgres without a password.

import { Socket } from "node:net";
import os from "node:os";
import { Client, type ClientBase, type ClientConfig, Pool, type QueryResultRow } from "pg";
import { readAsset } from "../ground/assets.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { actAsOwnerOf, becomeOwnerOf } from "../ground/owner.ts";
import { statementsIn } from "../ground/statements.ts";
import type { ObjectStore } from "../shore/object-store.ts";
import { fleetSchemaName } from "./schema.ts";

/** Folder of PostgreSQL's socket on Debian. */
const SOCKETS = "/var/run/postgresql";
const DATABASE = "fleet";
const CONNECT_MAX_MS = 30_000;

export interface Office {
  /**
   * The store with payloads. Null if none was named, so that a payload in a store is an error;
   * "unnamed" to continue without such payloads.
   */
  readonly objects: ObjectStore | "unnamed" | null;
  /** The rows of a statement of sql/office/office.sql, proof.sql or catalogue.sql. */
  ask<Row extends QueryResultRow>(name: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Sets a setting of the server in postgresql.auto.conf. */
  set(setting: string, value: string): Promise<void>;
  /**
   * Runs `work` behind statements that make objects, and takes these back. Resolves with the error
   * if the database can't make them, "not allowed" if the role or a standby can't.
   */
  beside(text: string, work: () => Promise<unknown>): Promise<"made" | "not allowed" | Error>;
  /** Runs `work` in a transaction. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs `work`, which only reads, on one snapshot. */
  snapshot<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` with a ship's role and rights, so that the database checks its statements as if the
   * ship had sent them at the time `spoken`. Needs a superuser.
   */
  asShip<Result>(
    ship: { readonly role: string; readonly spoken: string },
    work: (put: PutAsShip) => Promise<Result>,
  ): Promise<Result>;
}

/** Carries out a statement of sql/office/ship.sql. Rejects with PostgreSQL's error. */
export type PutAsShip = (kind: string, values: readonly unknown[]) => Promise<void>;

interface OfficeOptions {
  readonly withSchema?: boolean;
  readonly objects?: ObjectStore | null;
  /** Ends the connection at once; waiting statements fail. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** Names without a schema are PostgreSQL's own, whatever the database's owner has set. */
const OWN_NAMES = "set search_path = pg_catalog, pg_temp";

/** Runs `work` connected. Throws a Failure for PostgreSQL's refusals, and for another schema. */
export async function withOffice<Result>(
  database: string | undefined,
  work: (office: Office) => Promise<Result>,
  { withSchema = true, objects = null, signal = NEVER }: OfficeOptions = {},
): Promise<Result> {
  const client = clientFor(database, signal);
  // Errors of the connection itself are ignored: the waiting or the next statement fails with it.
  client.on("error", () => undefined);
  try {
    await client.connect().catch(refused);
    await client.query(OWN_NAMES).catch(refused);
    const office = officeOf(client, objects);
    if (withSchema) await requireSchema(office);
    return await work(office);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * As `withOffice`, with connections that stay open for a while: a page requests data every 15 s.
 */
export interface KeptOffice {
  with<Result>(work: (office: Office) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface KeptOptions {
  readonly connections_max: number;
  /**
   * Maximum time for a statement's answer; after it the statement fails, and its connection is
   * closed.
   */
  readonly answer_max_ms: number;
}

const IDLE_MAX_MS = 60_000;
const HANGING_MS = 5000;

export function keepOffice(
  database: string | undefined,
  { connections_max, answer_max_ms }: KeptOptions,
): KeptOffice {
  const limits = { max: connections_max, idleTimeoutMillis: IDLE_MAX_MS, keepAlive: true };
  // The second limit is for a server that hangs and can't end its statement itself.
  const times = { statement_timeout: answer_max_ms, query_timeout: answer_max_ms + HANGING_MS };
  const pool = new Pool({ ...settingsFor(database), ...limits, ...times });
  const known = new WeakSet<ClientBase>();
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    async with(work) {
      const client = await pool.connect().catch(refused);
      let isWell = false;
      try {
        const office = officeOf(client, null);
        if (!known.has(client)) {
          await client.query(OWN_NAMES);
          await requireSchema(office);
        }
        known.add(client);
        const result = await work(office);
        isWell = true;
        return result;
      } finally {
        // A failed connection may be broken, or know a schema that was replaced, so it isn't used
        // again.
        client.release(!isWell);
      }
    },
    close: () => pool.end(),
  };
}

function officeOf(client: ClientBase, objects: Office["objects"]): Office {
  const texts = ["office", "proof", "catalogue"].map((name) =>
    readAsset(`sql/office/${name}.sql`).toString(),
  );
  const statements = statementsIn(texts.join("\n"));
  const statement = (name: string) => {
    const text = statements.get(name);
    if (text === undefined) throw new Error(`statement ${name}: not in sql/office`);
    return text;
  };
  const within =
    (begin: string) =>
    async <Of>(inside: () => Promise<Of>) => {
      await client.query(statement(begin)).catch(refused);
      const result = await inside().catch(async (error) => {
        await client.query(statement("office.rollback")).catch(() => undefined);
        throw error;
      });
      await client.query(statement("office.commit")).catch(refused);
      return result;
    };
  return {
    objects,
    async ask<Row extends QueryResultRow>(name: string, values: readonly unknown[] = []) {
      // With a name, so that the server keeps the plan: planning the query of all ships takes as
      // long as its answer.
      const asked = { name, text: statement(name), values: [...values] };
      return (await client.query<Row>(asked).catch(refused)).rows;
    },
    async set(setting, value) {
      const quoted = statement("office.set")
        .replace("SETTING", () => client.escapeIdentifier(setting))
        .replace("VALUE", () => client.escapeLiteral(value));
      await client.query(quoted).catch(refused);
    },
    async beside(text, inside) {
      await client.query(statement("office.begin")).catch(refused);
      const failed = await client.query(text).then(
        () => null,
        (error: Error) => error,
      );
      if (failed === null) await inside();
      await client.query(statement("office.rollback")).catch(refused);
      if (failed === null) return "made";
      return NOT_ALLOWED.has(codeOf(failed) ?? "") ? "not allowed" : failed;
    },
    transaction: within("office.begin"),
    snapshot: within("office.begin_snapshot"),
    async asShip({ role, spoken }, inside) {
      const own = statementsIn(readAsset("sql/office/ship.sql").toString());
      await client.query(statement("office.become_ship"), [role, spoken]).catch(refused);
      // A failure ends the connection, and the ship's role with it.
      const result = await inside(async (kind, values) => {
        const text = own.get(`ship.${kind}`) ?? "";
        await client.query({ name: kind, text, values: [...values] });
      });
      await client.query(statement("office.become_self")).catch(refused);
      return result;
    },
  };
}

/** A row of office.schema; null members without the schema. */
interface SchemaFound {
  readonly made_by: string | null;
}

async function requireSchema(office: Office): Promise<void> {
  const [found] = await office.ask<SchemaFound>("office.schema");
  if (found?.made_by === fleetSchemaName()) return;
  const problem =
    found?.made_by === null
      ? "the database has no schema of a fleet"
      : "the database's schema is another ballastd's";
  throw new Failure(EXIT.failed, `${problem}; first ballastd fleet schema | psql`);
}

/** The message for a malformed URL, which isn't quoted, since it may contain a password. */
const WRONG_URL = "--database: got another URL, expected postgres://user@host:port/name";

function clientFor(database: string | undefined, signal = NEVER): Client {
  try {
    return new Client({ ...settingsFor(database), stream: () => new Socket({ signal }) });
  } catch (error) {
    if (codeOf(error) === "ERR_INVALID_URL") throw new Failure(EXIT.usage, WRONG_URL);
    throw error;
  }
}

function settingsFor(database: string | undefined): ClientConfig {
  return {
    ...placeOf(database),
    application_name: "ballastd fleet",
    connectionTimeoutMillis: CONNECT_MAX_MS,
  };
}

const isUrl = (database: string | undefined) => database?.includes("://") ?? false;
const serverHost = () => process.env.PGHOST ?? SOCKETS;

/**
 * Gives up root's rights for those of the server's socket, in a process that keeps running. Throws
 * a Failure for a malformed URL now, not at the first query.
 */
export function becomeOffice(database: string | undefined): void {
  if (isUrl(database)) clientFor(database);
  else if (serverHost().startsWith("/")) becomeOwnerOf(serverHost());
}

function placeOf(database: string | undefined) {
  if (database !== undefined && isUrl(database)) {
    if (!/^postgres(ql)?:/.test(database)) throw new Failure(EXIT.usage, WRONG_URL);
    return { connectionString: database };
  }
  const host = serverHost();
  if (host.startsWith("/")) actAsOwnerOf(host);
  return {
    host,
    user: process.env.PGUSER ?? os.userInfo().username,
    database: database ?? process.env.PGDATABASE ?? DATABASE,
  };
}

/** SQLSTATEs of a missing right, and of a server that only reads. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(["42501", "25006"]);
const NO_DATABASE = "3D000";
const LOCK_TIMEOUT = "55P03";

function refused(error: unknown): never {
  throw failureOf(error);
}

function failureOf(error: unknown): Failure {
  const code = codeOf(error) ?? "";
  // The error has no text if all addresses of a name refused.
  const said = `PostgreSQL: ${messageOf(error) || code}`;
  if (code === NO_DATABASE) return new Failure(EXIT.failed, `${said}; createdb makes it`);
  if (code === LOCK_TIMEOUT) {
    const next = "another session holds what is to be changed; end it, or try again";
    return new Failure(EXIT.temporary, `${said}: ${next}`);
  }
  // Other codes aren't from the server: no connection, a broken one, or a missing password.
  const isAnswer = /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code);
  return new Failure(isAnswer ? EXIT.failed : EXIT.unavailable, said);
}
