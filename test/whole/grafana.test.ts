// The files in docs/grafana against Debian's Prometheus: promtool reads the rules and runs their
// test; a real Prometheus scrapes the built program and takes every expression of the dashboard and
// the rules, each of which names only metrics that are there.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { until } from "../rig/mqtt-receiver.ts";
import { reservePort } from "../rig/port.ts";

const newFolder = foldersOfTests();
const source = path.resolve(import.meta.dirname, "..", "..", "docs", "grafana");

/** The dashboard's expressions, for one system. */
function expressions(): readonly string[] {
  const dashboard = JSON.parse(readFileSync(path.join(source, "ballastd.json"), "utf8"));
  return dashboard.panels.flatMap(({ targets }: { targets: readonly { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll("$instance", "ship")),
  );
}

const READING = {
  ...{ PROCESS_STATE: "RUNNING", UVR_INTENSITY: 648.5, SYS_FLOW_RATE: 720, LDC_AIR_TEMP: 36 },
  ...{ UVR_WATER_TEMP: 28, FLT_DIFF_PRESSURE: 0.3, LAMP_01_STATUS: "ACTIVE" },
  ...{ LAMP_01_EFFICIENCY: 90, LAMP_01_RUNTIME: 1200 },
};

test("promtool takes the rules, and their test passes", () => {
  const tool = (...args: readonly string[]) => spawnSync("promtool", args, { encoding: "utf8" });
  const rules = path.join(source, "alerts.yml");
  expect(tool("check", "rules", rules)).toMatchObject({ status: 0, stderr: "" });
  expect(tool("test", "rules", path.join(source, "alerts.test.yml"))).toMatchObject({ status: 0 });
});

test("promtool finds nothing wrong with the names and texts of the metrics", async () => {
  await using appliance = await startAppliance();
  const payload = JSON.stringify({ timestamp: Date.now(), ...READING });
  await appliance.publish([{ kind: "telemetry", payload }]);
  const input = await (await fetch(`${appliance.url}/metrics`)).text();
  const found = spawnSync("promtool", ["check", "metrics"], { encoding: "utf8", input });
  expect(found).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

test("a real Prometheus scrapes it; each expression names metrics that are there", async () => {
  await using appliance = await startAppliance();
  const payload = JSON.stringify({ timestamp: Date.now(), ...READING });
  await appliance.publish([{ kind: "telemetry", payload }]);
  const folder = newFolder();
  cpSync(source, folder, { recursive: true });
  const config = path.join(folder, "prometheus.yml");
  const given = readFileSync(config, "utf8");
  const target = `targets: ["${new URL(appliance.url).host}"]\n        labels: { instance: ship }`;
  const quick = given.replace("15s", "1s").replace(/targets: .*/, target);
  writeFileSync(config, quick);
  const { port } = await reservePort();
  const prometheus = spawn("prometheus", [
    ...[`--config.file=${config}`, `--storage.tsdb.path=${path.join(folder, "data")}`],
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  onTestFinished(async () => {
    prometheus.kill();
    if (prometheus.exitCode === null) await once(prometheus, "exit");
  });
  const api = async (name: string, query: Record<string, string> = {}) => {
    const url = `http://127.0.0.1:${port}/api/v1/${name}?${new URLSearchParams(query)}`;
    // Until it is ready, it refuses connections, or says so as plain text.
    return fetch(url)
      .then((answer) => answer.json())
      .catch(() => null);
  };
  let up = "";
  await until("a scrape", () => {
    void api("query", { query: 'up{job="ballastd"}' }).then((answer) => {
      up = answer?.data?.result?.[0]?.value?.[1] ?? "";
    });
    return up === "1";
  });
  const metadata = (await api("metadata")).data;
  const rules = (await api("rules")).data.groups[0].rules;
  expect(rules).toHaveLength(8);
  const asked = [...expressions(), ...rules.map(({ query }: { query: string }) => query)];
  expect(asked.length).toBeGreaterThan(30);
  for (const query of asked) {
    const answer = await api("query", { query });
    expect({ query, status: answer.status, error: answer.error ?? null }).toEqual({
      ...{ query, status: "success", error: null },
    });
    for (const [name] of query.matchAll(/\bballastd_\w+/g)) {
      const family = name.replace(/_(bucket|count|sum)$/, "");
      expect(metadata).toHaveProperty(family);
    }
  }
  // On a busy machine a scrape may be late, which the next one mends.
  const flow = async () => {
    const answer = await api("query", { query: "ballastd_flow_cubic_meters_per_second * 3600" });
    return Number(answer?.data.result[0]?.value[1]);
  };
  await expect.poll(flow).toBeCloseTo(720, 6);
  const lastError = async () => (await api("targets"))?.data.activeTargets[0].lastError;
  await expect.poll(lastError).toBe("");
});
