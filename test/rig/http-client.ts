// The HTTP client of the tools: one kept-alive connection, one question at a time, timed from the
// request to the last byte of the answer, which stays compressed if it comes so. `drain` keeps no
// body: a client's own memory isn't what is measured.

import { Agent, request } from "node:http";
import { PATIENCE_MS } from "./patience.ts";

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly took_ms: number;
}

export interface Client {
  /** Rejects when there is no answer. `body`: a POST of it. */
  ask(path: string, body?: string | Buffer): Promise<Reply>;
  /** As `ask`; of an answer that is a success the body is left out. */
  drain(path: string): Promise<Reply>;
  close(): void;
}

/** A client of `http://host:port`; `accepted` goes as Accept-Encoding. */
export function openClient(base: string, accepted = "identity"): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: (path, body) =>
      ask(agent, new URL(path, base), { body: body ?? null, keeps: true, accepted }),
    drain: (path) => ask(agent, new URL(path, base), { body: null, keeps: false, accepted }),
    close: () => agent.destroy(),
  };
}

/** Throws, with the beginning of the body, unless the answer is a success. */
export function expectOk(path: string, { status, body }: Reply): void {
  if (status < 200 || status > 299)
    throw new Error(`${path}: got ${status}, expected 200: ${body.toString("utf8", 0, 300)}`);
}

interface Asked {
  readonly body: string | Buffer | null;
  readonly keeps: boolean;
  readonly accepted: string;
}

function ask(agent: Agent, url: URL, { body, keeps, accepted }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const asked = request(
      url,
      {
        ...{ agent, method: body === null ? "GET" : "POST", timeout: PATIENCE_MS },
        headers: { "Accept-Encoding": accepted },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        const isKept = keeps || answer.statusCode !== 200;
        answer.on("data", (chunk: Buffer) => void (isKept && chunks.push(chunk)));
        answer.once("error", reject);
        answer.once("end", () => {
          const took_ms = performance.now() - began;
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks), took_ms });
        });
      },
    );
    asked.once("timeout", () => asked.destroy(new Error(`${url.pathname}: no answer`)));
    asked.once("error", reject);
    asked.end(body ?? undefined);
  });
}
