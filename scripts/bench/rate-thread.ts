// Ten kept-alive connections that ask for one path again as soon as it is answered. Written on
// sockets: a full HTTP client takes more processor time than the answers that are to be counted.

import { connect } from "node:net";
import { workerData } from "node:worker_threads";
import { inThread, type Target } from "./thread.ts";

const CONNECTIONS = 10;
const HEAD_END = "\r\n\r\n";
const CHUNKS_END = "0\r\n\r\n";

const target: Target = workerData;
const { port, stopping } = inThread();
const asked = Buffer.from(
  `GET ${target.path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n\r\n`,
);

const began = performance.now();
const counts = await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
const answers = counts.reduce((sum, count) => sum + count, 0);
port.postMessage({ answers, took_s: (performance.now() - began) / 1000 });

/** Resolves to the number of answers on one connection, once the thread is to stop. */
function askOn(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, target.host);
    let count = 0;
    let text = "";
    socket.setEncoding("latin1").setNoDelay(true);
    socket.once("connect", () => socket.write(asked));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`${target.path}: the connection was closed`)));
    socket.on("data", (more) => {
      text += more;
      if (!isWhole(text)) return;
      if (!text.startsWith("HTTP/1.1 200 ")) reject(new Error(text.slice(0, 200)));
      text = "";
      count += 1;
      if (!stopping()) return void socket.write(asked);
      resolve(count);
      socket.destroy();
    });
  });
}

/** True if an answer is complete. */
function isWhole(text: string): boolean {
  const head = text.indexOf(HEAD_END);
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  const body = head + HEAD_END.length;
  return length === undefined ? text.endsWith(CHUNKS_END) : text.length >= body + Number(length);
}
