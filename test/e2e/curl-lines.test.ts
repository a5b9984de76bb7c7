// The lines of /docs, typed as they stand by whoever reads the page: each into a shell, against the
// running program.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Plant, startPlant } from "../rig/onboard-page.ts";
import { until } from "../rig/until.ts";

const TOKEN = "0123456789abcdef";

async function linesOf(plant: Plant): Promise<readonly string[]> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const html = await (await fetch(`${plant.url}/docs`, { headers })).text();
  return [...html.matchAll(/<pre class="curl">(.*?)<\/pre>/g)].map(([, line = ""]) =>
    line
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, "&"),
  );
}

/** The answer's status and type. */
async function typed(line: string): Promise<string> {
  // One that asks for events goes on for ever: it ends with the first byte that can't be written.
  const isEndless = line.startsWith("curl -sSN");
  const end = isEndless ? "-o /dev/full 2> /dev/null || true" : "-o /dev/null";
  const command = `${line} -w '%{http_code} %{content_type}' ${end}`;
  const env = { ...process.env, TOKEN };
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { env });
  return stdout;
}

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
}

/** The ids that the lines have, by the beginning of the path. */
const ID_EXAMPLES = [
  ["/admin/quarantine", "7"],
  ["/api/operations", "12"],
] as const;

/** The method that curl is told to use. */
const methodOf = (line: string) => /-X (\S+)/.exec(line)?.[1]?.toLowerCase() ?? "get";

test("there is a line for every operation, and it answers as documented", async () => {
  const env = { BALLASTD_AUTH_TOKEN: TOKEN, BALLASTD_AUTH_MONITORING: "token" };
  await using plant = await startPlant(env);
  const timestamp = new Date(Date.now() - 3000).toISOString();
  await plant.publish("telemetry", { timestamp, UVR_INTENSITY: 640 });
  // The one of the example whose evidence is asked for.
  await plant.publish("telemetry", { timestamp: "2026-05-01T06:30:00Z", UVR_INTENSITY: 640 });
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { paths } = await (await fetch(`${plant.url}/openapi.json`, { headers })).json();
  const operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  await until("a signed head", async () => {
    const { status } = await fetch(`${plant.url}/api/ledger/head`, { headers });
    return status === 200;
  });
  const lines = await linesOf(plant);
  expect(lines).toHaveLength(operations.length);
  for (const { path, method, operation } of operations) {
    const id = ID_EXAMPLES.find(([begins]) => path.startsWith(begins))?.[1] ?? "own-17";
    const url = `'${plant.url}${path.replace("{nn}", "01").replace("{id}", id)}`;
    const line = lines.find(
      (one) => /'http:[^'?]*/.exec(one)?.[0] === url && methodOf(one) === method,
    );
    expect(line, path).toBeDefined();
    // The answer for lamp 1 depends on that lamp's readings; there is no operation 12, and the
    // quarantine is empty.
    const isOfOne = path === "/admin/quarantine/{id}" || path === "/api/operations/{id}";
    if (isOfOne || (method !== "get" && path !== "/plants")) continue;
    const [type = ""] = Object.keys(operation.responses["200"]?.content ?? {});
    expect(await typed(`${line}`), line).toMatch(new RegExp(`^200 ${type}\\b`));
  }
});
