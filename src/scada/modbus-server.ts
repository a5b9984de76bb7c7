// The Modbus TCP server, read only, for the ship's alarm system. Connections are few and limited;
// each is read only as fast as it takes its answers, and gets at most 1,000 answers a second, so
// that no client blocks the main thread. A client that doesn't send Modbus is cut.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Missing, openListening } from "../config/listening.ts";
import type { Listen } from "../config/values.ts";
import { openAdmission } from "../ground/admission.ts";
import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { messageOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";
import { answerTo, type ModbusRequest, requestIn } from "./modbus-frame.ts";
import { registerNumbers, type ShipFacts } from "./modbus-registers.ts";

/**
 * Maximum number of connections, in total and by address; an alarm system has one or two. At the
 * limit the oldest one of the address with the most is closed.
 */
export const MODBUS_CONNECTIONS_MAX = 32;
const MODBUS_ADDRESS_MAX = 8;
/** Time without a request after which a connection is closed: masters ask every few seconds. */
const MODBUS_IDLE_MS = 2 * MINUTE_MS;
/** Maximum time for the rest of a request, and for taking an answer. */
const MODBUS_SLOW_MS = 10 * SECOND_MS;
/** Number of requests answered without a pause, and the pause: 1,000 a second. */
const BURST = 20;
const BURST_PAUSE_MS = 20;

export interface ModbusServer {
  /** The addresses on which it listens now, as `host:port` with the actual ports. */
  addresses(): readonly string[];
  /** The reason for each address that can't be bound now. */
  problems(): readonly string[];
  close(): Promise<void>;
}

export interface ModbusOptions {
  readonly listen: readonly Listen[];
  readonly missing: Missing;
  /** Gives the present facts, soon; must not reject. */
  readonly facts: () => Promise<ShipFacts>;
  readonly log: Log;
  /** Overrides MODBUS_SLOW_MS, for tests that can't wait. */
  readonly slow_ms?: number;
}

export async function openModbus(options: ModbusOptions): Promise<ModbusServer> {
  const { log } = options;
  const admission = openAdmission({
    total_max: MODBUS_CONNECTIONS_MAX,
    address_max: MODBUS_ADDRESS_MAX,
    onRefused: ({ remote }) => log.warn("a Modbus connection was cut: too many", { remote }),
  });
  const listening = await openListening({
    section: "modbus",
    listen: options.listen,
    missing: options.missing,
    make: () =>
      // A client may half-close after its request, and still gets its answer.
      createServer({ allowHalfOpen: true }, (socket) => {
        const admitted = admission.admit(socket);
        if (admitted === null) return;
        socket.on("error", () => socket.destroy());
        serve(socket, options).catch((problem: unknown) => {
          const { remote } = admitted;
          log.debug("a Modbus connection was cut", { remote, problem: messageOf(problem) });
          socket.destroy();
        });
      }),
    log,
  });
  return {
    addresses: listening.addresses,
    problems: listening.problems,
    async close() {
      const closed = listening.close();
      admission.cut("all");
      await closed;
    },
  };
}

/** Answers a connection's requests until its client ends them. Rejects if it must be cut. */
async function serve(socket: Socket, options: ModbusOptions): Promise<void> {
  const { slow_ms = MODBUS_SLOW_MS } = options;
  socket.setNoDelay(true);
  socket.setTimeout(MODBUS_IDLE_MS, () => socket.destroy());
  let rest: Buffer = Buffer.alloc(0);
  /** Timer that cuts an unfinished request, from its first bytes on. */
  let late: NodeJS.Timeout | null = null;
  let count = 0;
  try {
    // Nothing is read from the socket while an answer is made and taken.
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      rest = Buffer.concat([rest, chunk]);
      for (let request = nextIn(rest); request !== null; request = nextIn(rest)) {
        rest = rest.subarray(request.bytes);
        if (late !== null) clearTimeout(late);
        late = null;
        await answer(socket, request, { ...options, slow_ms });
        count += 1;
        if (count % BURST === 0) await pause(BURST_PAUSE_MS);
      }
      if (rest.length > 0) late ??= setTimeout(() => socket.destroy(), slow_ms);
    }
    socket.setTimeout(slow_ms);
    socket.end();
  } finally {
    if (late !== null) clearTimeout(late);
  }
}

function nextIn(given: Buffer): ModbusRequest | null {
  const request = requestIn(given);
  if (request === "foreign") throw new Error("what came isn't Modbus TCP");
  return request;
}

async function answer(
  socket: Socket,
  request: ModbusRequest,
  { facts, slow_ms }: Pick<ModbusOptions, "facts"> & { readonly slow_ms: number },
): Promise<void> {
  const now = await facts();
  if (socket.write(answerTo(request, (asked) => registerNumbers(now, asked)))) return;
  await once(socket, "drain", { signal: AbortSignal.timeout(slow_ms) });
}
