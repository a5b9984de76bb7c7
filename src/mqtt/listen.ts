// Listening on the broker's addresses. That an address can't be had is the commonest fault of a new
// installation (the machine's own Mosquitto sits on 1883), so it is said in one line with the
// setting to change.

import type { Server } from "node:net";
import type { Listen } from "../config-values.ts";
import { printListen } from "../config-values.ts";
import { codeOf, EXIT, Failure, messageOf } from "../errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there: stop it, or choose another address",
  EACCES: "this user may not: choose a port above 1023",
  EADDRNOTAVAIL: "this machine doesn't have that address",
};

/** Resolves when the server listens; throws a Failure (exit 69) that names address and setting. */
export function listening(server: Server, listen: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const reason = REASONS[codeOf(error) ?? ""] ?? messageOf(error);
      const setting = "mqtt.listen or BALLASTD_MQTT_LISTEN";
      const address = printListen(listen);
      reject(
        new Failure(EXIT.unavailable, `MQTT: can't listen on ${address} (${setting}): ${reason}`),
      );
    });
    server.listen(listen.port, listen.host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

/** The address a server really has, `host:port`; "" when it doesn't listen. */
export function boundAddress(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") return "";
  return printListen({ host: address.address, port: address.port });
}
