// The stream between MQTT.js and the broker's socket. Incoming data is shortened as it passes, and
// counts as a sign of life; outgoing data passes unchanged.

import { createConnection, isIP, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { brokerAddress } from "../../config/values.ts";
import type { Credentials } from "../../tls/certificate.ts";
import type { Shortener } from "./shorten.ts";

/** Begins to connect to the broker, by TLS if its URL says so. */
export function brokerSocket(url: string, credentials: Credentials | null): Socket {
  const { protocol, host, port } = brokerAddress(url);
  if (protocol === "mqtt") return createConnection({ host, port, noDelay: true });
  const named = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port, ...named, ...credentials }).setNoDelay(true);
}

/** Wraps a socket that may still be connecting; errors and closing pass both ways. */
export function inbound(socket: Socket, shortener: Shortener, onHeard: () => void): Duplex {
  const stream = new Duplex({
    read: () => socket.resume(),
    write: (chunk, _encoding, done) => socket.write(chunk, done),
    final: (done) => socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on("data", (chunk) => {
    onHeard();
    try {
      const passed = shortener.passed(chunk);
      if (passed.length > 0 && !stream.push(passed)) socket.pause();
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on("error", (error) => stream.destroy(error));
  socket.on("close", () => stream.destroy());
  return stream;
}
