// Looks for the page of recovery mode, which has no control socket and uses the web address: a
// check of the ports alone would take it for another program's.

import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import * as z from "zod";
import type { Config } from "../../config/config.ts";
import { type Listen, printListen } from "../../config/values.ts";
import { type Finding, failed } from "./finding.ts";
import { USUAL } from "./recovery.ts";

/** Maximum wait for an answer on this machine. */
const ANSWER_MAX_MS = 10_000;
const ANSWER_MAX_BYTES = 1024 * 1024;

/** The answer of recovery mode; the system's id distinguishes it from other systems aboard. */
const Answer = z.object({
  ready: z.literal(false),
  reasons: z.array(z.string()).min(1),
  system: z.object({ id: z.string() }),
});

/** A finding with the reasons that recovery mode gives; null if it doesn't run. */
export async function checkRecovery({ http, system }: Config): Promise<Finding | null> {
  for (const listen of [...http.listen, USUAL])
    for (const scheme of ["http", "https"] as const) {
      const url = `${scheme}://${printListen(reachable(listen))}/`;
      const answer = Answer.safeParse(await answerOf(`${url}readyz`));
      if (!answer.success || answer.data.system.id !== system.id) continue;
      const says = `nothing is recorded, see ${url}: ${answer.data.reasons.join("; ")}`;
      return failed("service", says, "mend that; it looks again by itself");
    }
  return null;
}

/** The address to ask: loopback in place of one that stands for all addresses of this machine. */
function reachable({ host, port }: Listen): Listen {
  if (host === "0.0.0.0") return { host: "127.0.0.1", port };
  return isIP(host) === 6 && /^[0:]+$/.test(host) ? { host: "::1", port } : { host, port };
}

/** The JSON at `url`; null for any other answer. No secret is sent. */
function answerOf(url: string): Promise<unknown> {
  const request = url.startsWith("https:") ? tlsRequest : plainRequest;
  return new Promise((resolve) => {
    const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(ANSWER_MAX_MS) };
    const asked = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
        if (text.length > ANSWER_MAX_BYTES) asked.destroy();
      });
      response.on("end", () => resolve(parsed(text)));
      response.on("error", () => resolve(null));
    });
    asked.on("error", () => resolve(null)).end();
    asked.on("close", () => resolve(null));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
