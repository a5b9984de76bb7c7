// A question over HTTPS with options that fetch doesn't have: whom to trust, which agent.

import https from "node:https";

export interface Answered {
  readonly status: number | undefined;
  readonly body: string;
  /** Our end of the connection that it came by. */
  readonly port: number | undefined;
}

/** GET of `target` at 127.0.0.1. */
export function askHttps(
  port: number,
  target: string,
  options: https.RequestOptions,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const where = { host: "127.0.0.1", port, path: target, ...options };
    const request = https.get(where, (response) => {
      const our_port = response.socket.localPort;
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body, port: our_port }));
    });
    request.on("error", reject);
  });
}

/** The name in the certificate that a new connection is shown. */
