// Opens servers on the configured addresses, each on its own. An address that can't be bound now (a
// cable is unplugged, DHCP is late, another program has the port) is reported and tried again; it
// delays neither the other addresses nor the program. Each address has several sockets, because
// Node accepts one connection a socket in a round of its event loop: behind 250 connections of a
// flood, in rounds of 5 ms, a page waited for more than a second of the processor.

import { once } from "node:events";
import { createServer, type ListenOptions, type Server } from "node:net";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { oneAfterAnother } from "../ground/in-turn.ts";
import type { Log } from "../ground/log.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import { variableOf } from "./config.ts";
import { type Listen, printListen } from "./values.ts";

/** Interval of new attempts: short enough for a user who has just connected the cable. */
const TRY_AGAIN_MS = 3000;

/** Sockets that listen on an address: connections that are accepted in a round. */
export const SOCKETS = 4;

/** Treatment of an address that can't be bound: wait for it, or throw a Failure (exit 69). */
export type Missing = "wait" | "refuse";

export type ListeningSection = "http" | "mqtt" | "modbus";

export interface ListeningOptions {
  /** The configuration section, or the option, that gave the addresses. */
  readonly section: ListeningSection | "--listen";
  readonly listen: readonly Listen[];
  readonly missing: Missing;
  /** Makes a server that doesn't listen yet, with its handlers; called SOCKETS times an address. */
  readonly make: () => Server;
  /** Called when an address is bound after a wait. */
  readonly onLate?: () => void;
  readonly log: Log;
}

export interface Listening {
  /** The addresses on which it listens now, as `host:port` with the actual ports. */
  addresses(): readonly string[];
  /** One reason for each address that can't be bound now. */
  problems(): readonly string[];
  /** Accepts no more and tries no more; resolves when every connection is closed. */
  close(): Promise<void>;
}

interface ListenPlace {
  readonly listen: Listen;
  readonly servers: readonly Server[];
  problem: string | null;
  reasons: readonly RefusalReason[];
  isTried: boolean;
}

/** Tries every address once; `missing` handles those that can't be bound. */
export async function openListening(options: ListeningOptions): Promise<Listening> {
  const { section, log } = options;
  const places: readonly ListenPlace[] = options.listen.map((listen) => ({
    servers: Array.from({ length: SOCKETS }, options.make),
    ...{ listen, problem: null, reasons: [], isTried: false },
  }));
  const missing = () => places.filter(({ problem }) => problem !== null);
  let isClosed = false;
  const open = async (place: ListenPlace) => {
    if (place.isTried) return;
    const before = place.problem;
    place.isTried = true;
    const failure = await inTurn(() => failureOf(place, section));
    place.problem = failure?.message ?? null;
    place.reasons = failure?.reasons ?? [];
    place.isTried = false;
    if (isClosed) await closed(place);
    else if (place.problem === null) {
      // For example out of open files: clients already connected are still served.
      for (const server of place.servers)
        server.on("error", (error) =>
          log.warn("a connection could not be accepted", { problem: messageOf(error) }),
        );
      if (before === null) return;
      log.info("the address is bound now", { address: addressOf(place) });
      options.onLate?.();
    } else if (place.problem !== before && options.missing === "wait")
      log.warn("an address can't be bound, it is tried again", { problem: place.problem });
  };
  const timer = setInterval(() => missing().forEach((place) => void open(place)), TRY_AGAIN_MS);
  timer.unref();
  const close = async () => {
    isClosed = true;
    clearInterval(timer);
    await Promise.all(places.map(closed));
  };
  await Promise.all(places.map(open));
  const problems = () => missing().map(({ problem }) => `${problem}`);
  if (options.missing === "refuse" && problems().length > 0) {
    const [{ problem, reasons }] = missing();
    await close();
    throw new Failure(EXIT.unavailable, `${problem}`, ...reasons);
  }
  return {
    addresses: () => places.filter(({ servers }) => servers[0].listening).map(addressOf),
    problems,
    close,
  };
}

/** One place is opened at a time, so that no address is shared by two of this process. */
const inTurn = oneAfterAnother();

/** Starts to listen; null on success. */
async function failureOf(
  { listen, servers }: ListenPlace,
  section: ListeningOptions["section"],
): Promise<Failure | null> {
  try {
    // The sockets share a port (SO_REUSEPORT), which another program of this user could share too.
    const probe = createServer();
    if (listen.port !== 0) await listens(probe, listen).then(() => closed({ servers: [probe] }));
    const [first, ...others] = servers;
    await listens(first, { ...listen, reusePort: true });
    const port = portOf({ listen, servers });
    for (const server of others) await listens(server, { ...listen, port, reusePort: true });
    return null;
  } catch (error) {
    await closed({ servers });
    const address = printListen(listen);
    const { text, code = null } = CAUSES[codeOf(error) ?? ""] ?? { text: messageOf(error) };
    const setting = section === "--listen" ? section : `${section}.listen`;
    const named = section === "--listen" ? section : `${setting}, ${variableOf(section, "listen")}`;
    return new Failure(
      EXIT.unavailable,
      `${address} (${named}) can't be bound: ${text}`,
      ...(code === null ? [] : [reason(code, { setting, address })]),
    );
  }
}

async function listens(server: Server, { host, port, reusePort }: Listen & ListenOptions) {
  const listening = once(server, "listening");
  server.listen({ host, port, reusePort });
  await listening;
}

const ABSENT = { text: "this machine doesn't have that address", code: "address_absent" } as const;

interface BindFailure {
  readonly text: string;
  readonly code?: "address_taken" | "address_forbidden" | "address_absent";
}

const CAUSES: Readonly<Record<string, BindFailure>> = {
  EADDRINUSE: {
    text: "another program listens there; stop it, or choose another address",
    code: "address_taken",
  },
  EACCES: { text: "this user may not; choose a port above 1023", code: "address_forbidden" },
  EADDRNOTAVAIL: ABSENT,
  ENOTFOUND: ABSENT,
};

/** Address as text: the configured host with the actual port. */
function addressOf(place: Pick<ListenPlace, "listen" | "servers">): string {
  return printListen({ host: place.listen.host, port: portOf(place) });
}

function portOf({ listen, servers }: Pick<ListenPlace, "listen" | "servers">): number {
  const address = servers[0].address();
  return typeof address === "object" && address !== null ? address.port : listen.port;
}

/** Closes the servers; those that aren't listening are closed already. */
async function closed({ servers }: Pick<ListenPlace, "servers">): Promise<void> {
  const close = (server: Server) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  await Promise.all(servers.map(close));
}
