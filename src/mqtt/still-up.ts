// Distinguishes a broker that closed our connection but goes on accepting others from one that was
// stopped or restarted.

import { createConnection } from "node:net";
import { brokerAddress } from "../config/values.ts";

/**
 * Time that a trial connection must last. In less, a process that is ending has cut the connections
 * that its socket still accepted.
 */
const STAY_MS = 250;

/** Time limit for accepting a connection; a broker that takes longer counts as gone. */
const ACCEPT_MS = 2000;

/**
 * Tests if the broker that has just closed our connection still runs: connects, sends nothing, and
 * tests if the connection lasts. A broker that is stopped or restarted refuses it, or cuts it at
 * once; one that closed ours because another program connected with our client id goes on
 * accepting. MQTT 3.1.1 gives no reason for the close. Never rejects.
 */
export function isBrokerUp(url: string): Promise<boolean> {
  const { host, port } = brokerAddress(url);
  return new Promise((resolve) => {
    const socket = createConnection({ host, port }).unref();
    let timer = setTimeout(() => end(false), ACCEPT_MS).unref();
    const end = (isUp: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isUp);
    };
    socket.once("connect", () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(true), STAY_MS).unref();
    });
    socket.resume();
    socket.once("end", () => end(false));
    socket.once("close", () => end(false));
    socket.on("error", () => end(false));
  });
}
