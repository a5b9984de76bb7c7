// Logins at the embedded broker: the right password is
// accepted, however often others guess.

import { connectAsync } from "mqtt";
import { afterEach, expect, test } from "vitest";
import { FAILURES_MAX } from "../../../src/ground/attempts.ts";
import { brokerRig, closeAll, type Opened, TOPIC } from "../../rig/broker-rig.ts";
import { runTool } from "../../rig/mosquitto.ts";
import { quiet } from "../../rig/mqtt-receiver.ts";

const LOGIN = { username: "plc", password: "sea water" };

const opened: Opened = [];
afterEach(() => closeAll(opened));

test("with a password only its user may publish", async () => {
  const { port, plc, count } = await brokerRig(opened, LOGIN);
  const publish = ["-h", "127.0.0.1", "-p", String(port), "-t", TOPIC, "-m", "{}", "-q", "1"];
  const good = await runTool("mosquitto_pub", [...publish, "-u", "plc", "-P", "sea water"]);
  expect(good.code).toBe(0);
  for (const login of [[], ["-u", "plc", "-P", "sea"], ["-u", "pl", "-P", "sea water"]]) {
    const bad = await runTool("mosquitto_pub", [...publish, ...login]);
    expect(bad.output).toMatch(/Connection Refused: bad user name or password/);
  }
  expect(plc.messages).toHaveLength(1);
  expect(count("refused_connections_total")).toBe(3);
});

test("a guesser is slowed down, audited and named, and its neighbours aren't", async () => {
  const { port, lines, fields, noted } = await brokerRig(opened, LOGIN);
  const login = (password: string) =>
    connectAsync(`mqtt://127.0.0.1:${port}`, {
      ...{ username: "plc", password, clientId: "guesser", reconnectPeriod: 0 },
    });
  const code = (password: string) =>
    login(password).then(
      async (client) => {
        await client.endAsync();
        return 0;
      },
      (error) => Number(error.code),
    );
  // At once: those of a minute count.
  const first = await Promise.all(Array.from({ length: FAILURES_MAX }, () => code("sea")));
  expect(new Set(first)).toEqual(new Set([4]));
  const began_ms = performance.now();
  const right = code("sea water");
  const wrong = Array.from({ length: 20 }, () => code("sea"));
  expect(await right).toBe(0);
  expect(performance.now() - began_ms).toBeGreaterThan(1500);
  const unseen = (await Promise.race([Promise.all(wrong), quiet()])) ?? [];
  expect(unseen).toEqual([]); // some wait for their turn
  const audited = noted.map(({ kind, actor, address, fold }) =>
    [kind, actor, address, fold].join(),
  );
  expect(new Set(audited)).toEqual(
    new Set([
      "refusal,unknown,127.0.0.1,mqtt 4",
      "refusal,unknown,127.0.0.1,mqtt 3",
      "login,plc,127.0.0.1,mqtt",
    ]),
  );
  const looked = noted.filter(({ fold }) => fold === "mqtt 4").length;
  // One more each two seconds, of which a busy machine may need many.
  const took_s = (performance.now() - began_ms) / 1000;
  expect(looked).toBeLessThan(FAILURES_MAX + 2 + took_s);
  const told = lines.filter((line) => line === "warn connection refused").length;
  expect(told).toBe(looked);
  expect(lines).toContain("warn too many failed logins, most are refused unseen");
  const refused = fields[lines.indexOf("warn connection refused")];
  expect(refused).toMatchObject({
    client: "guesser",
    remote: expect.stringContaining("127.0.0.1"),
  });
});

test("a known client gets in though a guesser at its address takes every place", async () => {
  const { port } = await brokerRig(opened, LOGIN);
  const login = (clientId: string, password: string) =>
    connectAsync(`mqtt://127.0.0.1:${port}`, {
      ...{ username: "plc", password, clientId, reconnectPeriod: 0 },
    }).then(
      async (client) => {
        await client.endAsync();
        return 0;
      },
      (error) => Number(error.code),
    );
  expect(await login("plc-1", "sea water")).toBe(0);
  await Promise.all(Array.from({ length: FAILURES_MAX }, () => login("guesser", "sea")));
  const guesses = Array.from({ length: 40 }, (_, index) => login(`guesser-${index}`, "sea"));
  const stranger = login("stranger", "sea water"); // comes before a place is free again
  await Promise.race(guesses); // the first that finds no place
  expect(await stranger).toBe(3);
  expect(await login("plc-1", "sea water")).toBe(0);
});
