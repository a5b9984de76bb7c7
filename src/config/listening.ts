// Opens servers on the configured addresses, each on its own. An address that can't be bound now (a
// cable is unplugged, DHCP is late, another program has the port) is reported and tried again; it
// delays neither the other addresses nor the program.

import { once } from "node:events";
import type { Server } from "node:net";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { type RefusalReason, reason } from "../ground/reasons.ts";
import { variableOf } from "./config.ts";
import { type Listen, printListen, shownListen } from "./values.ts";

/** Interval of new attempts: short enough for a user who has just connected the cable. */
const TRY_AGAIN_MS = 3000;

/** Treatment of an address that can't be bound: wait for it, or throw a Failure (exit 69). */
export type Missing = "wait" | "refuse";

export type ListeningSection = "http" | "mqtt" | "modbus";

export interface ListeningOptions {
  /** The configuration section, or the option, that gave the addresses. */
  readonly section: ListeningSection | "--listen";
  readonly listen: readonly Listen[];
  readonly missing: Missing;
  /** The port to bind in place of the listed one, for a trial; the messages have the listed one. */
  readonly portFor?: (listen: Listen) => number;
  /** Makes a server that doesn't listen yet, with its handlers. */
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
  readonly server: Server;
  problem: string | null;
  reasons: readonly RefusalReason[];
  isTried: boolean;
}

/** Tries every address once; `missing` handles those that can't be bound. */
export async function openListening(options: ListeningOptions): Promise<Listening> {
  const { log } = options;
  const places: readonly ListenPlace[] = options.listen.map((listen) => ({
    ...{ listen, server: options.make(), problem: null, reasons: [], isTried: false },
  }));
  const missing = () => places.filter(({ problem }) => problem !== null);
  let isClosed = false;
  const open = async (place: ListenPlace) => {
    if (place.isTried) return;
    const before = place.problem;
    place.isTried = true;
    const failure = await failureOf(place, options);
    place.problem = failure?.message ?? null;
    place.reasons = failure?.reasons ?? [];
    place.isTried = false;
    if (isClosed) await closed(place.server);
    else if (place.problem === null) {
      // For example out of open files: clients already connected are still served.
      place.server.on("error", (error) =>
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
    await Promise.all(places.map(({ server }) => closed(server)));
  };
  await Promise.all(places.map(open));
  const problems = () => missing().map(({ problem }) => `${problem}`);
  if (options.missing === "refuse" && problems().length > 0) {
    const [{ problem, reasons }] = missing();
    await close();
    throw new Failure(EXIT.unavailable, `${problem}`, ...reasons);
  }
  return {
    addresses: () => places.filter(({ server }) => server.listening).map(addressOf),
    problems,
    close,
  };
}

/**
 * The options to bind `listen`, one of the addresses `all`. `::` takes IPv4 as well, unless that
 * has an address of its own on this port: the later of the two waited for ever.
 */
export function bindOptions({ host, port }: Listen, all: readonly Listen[]) {
  const isBeside = all.some((one) => one.host === "0.0.0.0" && one.port === port);
  return { host, port, ipv6Only: host === "::" && isBeside };
}

/** Starts to listen; null on success. */
async function failureOf(
  { listen, server }: ListenPlace,
  { section, listen: all, portFor = ({ port }) => port }: ListeningOptions,
): Promise<Failure | null> {
  try {
    const listens = once(server, "listening");
    server.listen({ ...bindOptions(listen, all), port: portFor(listen) });
    await listens;
    return null;
  } catch (error) {
    const address = shownListen(listen);
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
function addressOf({ listen, server }: ListenPlace): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : listen.port;
  return printListen({ host: listen.host, port });
}

/** Closes the server; one that isn't listening is closed already. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
