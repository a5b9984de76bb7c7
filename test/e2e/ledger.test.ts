// The ledger of the built program: heads signed while it receives, given out and proven, checked by
// docs/verify-ledger.py and by stock ssh-keygen, and after a restore under a new origin.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { runProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { until } from "../rig/until.ts";

const VERIFIER = path.join(import.meta.dirname, "../../docs/verify-ledger.py");
const START_MS = Date.UTC(2026, 0, 1);
const timeOf = (index: number) => new Date(START_MS + index * 1000).toISOString();

const folder = foldersOfTests(afterAll)();
const inFolder = (name: string) => path.join(folder, name);
let stop_size = 0;
const ledger = (...args: readonly string[]) => runProgram({ args: ["ledger", ...args], folder });

/** The verifier's output; throws if it finds anything wrong. */
const verified = (...args: readonly string[]) =>
  execFileSync("python3", ["-I", VERIFIER, ...args], { cwd: folder, encoding: "utf8" });

/** A proof in a file, also that the tree only grew since the head of the stop. */
const proven = (kind: string, number: string, file: string) =>
  ledger("prove", kind, number, "--since", `${stop_size}`, "--output", inFolder(file));

let appliance: Appliance;
beforeAll(async () => {
  appliance = await startAppliance({ folder });
  const readings = Array.from({ length: 2300 }, (_, index) => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp: timeOf(index), SYS_PRESSURE: 4 + (index % 30) / 10 }),
  }));
  const stop = { timestamp: timeOf(2000), event_type: "PROCESS_STOP", data: { port: "Busan" } };
  await appliance.publish([...readings, { kind: "events", payload: JSON.stringify(stop) }]);
});
afterAll(async () => {
  await appliance[Symbol.asyncDispose]();
});

test("a head is signed after a stop, and its proofs verify without ballastd", async () => {
  const isProven = async () => {
    const { status } = await appliance.get("/api/ledger/proof?kind=event&number=1");
    return status === 200;
  };
  await until("a head after the stop", isProven);
  const head = await appliance.json("/api/ledger/head");
  stop_size = head.size;
  const newest = await appliance.json("/api/ledger/head");
  expect(newest.size).toBeGreaterThanOrEqual(head.size);
  const proof = await appliance.get(`/api/ledger/proof?kind=event&number=1&since=${head.size}`);
  expect(proof.status).toBe(200);
  writeFileSync(inFolder("event.json"), `${proof.text}\n`);
  writeFileSync(inFolder("stop.txt"), head.checkpoint);
  const given = ["--key", head.verifier_key, "--proof", "event.json", "--claim", "event 1"];
  const said = verified(...given, "--head", "stop.txt");
  expect(said).toContain("Busan");
  expect(said).toMatch(/all of this is proven\n$/);
  const checked = await ledger("check", inFolder("event.json"), inFolder("stop.txt"));
  expect(checked).toMatchObject({ code: 0, stderr: "" });
});

test("a head that a scanner or an editor saved is the one that was signed", LONG, async () => {
  const head = await appliance.json("/api/ledger/head");
  const { checkpoint } = head;
  const crlf = checkpoint.replaceAll("\n", "\r\n");
  const file = inFolder("saved.txt");
  for (const saved of [checkpoint.trimEnd(), crlf, `\ufeff${crlf}\r\n`]) {
    writeFileSync(file, saved);
    expect(verified("--key", head.verifier_key, "--head", file)).toContain("signed by");
    expect(await ledger("check", file)).toMatchObject({ code: 0, stderr: "" });
  }
  writeFileSync(file, checkpoint.replace("\n", "\n\n"));
  expect(() => verified("--key", head.verifier_key, "--head", file)).toThrow();
  expect(await ledger("check", file)).toMatchObject({ code: 1 });
});

test.each([
  ["/api/ledger/proof?kind=event&number=99999", 404, "event 99999 isn't in the newest signed head"],
  ["/api/ledger/proof?kind=lamp&number=1", 400, "kind: "],
  ["/api/ledger/proof?kind=audit&number=1", 400, "expected segment, event, key, head"],
  ["/admin/audit/proof?number=1", 401, "token"],
  ["/api/ledger/proof?kind=event&number=0", 400, "number: "],
  ["/api/ledger/proof?kind=event", 400, "number: is missing"],
  ["/api/ledger/proof?kind=event&number=1&since=999999", 404, "fewer than 999999 leaves"],
  ["/api/ledger/consistency?from=2&to=1", 400, "from: "],
  [
    "/api/ledger/consistency?from=1&to=999999",
    404,
    "the newest signed head has fewer than 999999 leaves",
  ],
  ["/api/ledger/consistency?from=x&to=1", 400, "from: "],
])("GET %s is %i", async (asked, status, text) => {
  const answer = await appliance.get(asked);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});

test("any two heads have a short proof that the tree only grew", async () => {
  const { size } = await appliance.json("/api/ledger/head");
  const proof = await appliance.json(`/api/ledger/consistency?from=2&to=${size}`);
  expect(proof).toMatchObject({ from: 2, to: size });
  expect(JSON.stringify(proof).length).toBeLessThan(2048);
});

test("a head given out verifies with ssh-keygen, and the ledger tells of it", async () => {
  const file = inFolder("head.txt");
  const { code, stdout } = await ledger("head", file);
  expect(code).toBe(0);
  const [, command] = /^(ssh-keygen .*)$/m.exec(stdout) ?? [];
  expect(execFileSync("sh", ["-c", command], { encoding: "utf8" })).toContain("Good");
  const [, key] = /^verifier key: (.*)$/m.exec(stdout) ?? [];
  expect(verified("--key", key, "--head", "head.txt")).toContain("all of this is proven");
  expect(await ledger("head", file)).toMatchObject({ code: 73 });
  expect((await ledger("check", file)).stdout).toContain("the ledger aboard has it");
  // A head proves no claim.
  expect(await ledger("check", file, "--claim", "event 1")).toMatchObject({ code: 2 });
  const claiming = ["--key", key, "--head", "head.txt", "--claim", "event 1"];
  expect(() => verified(...claiming)).toThrow(
    expect.objectContaining({ stdout: expect.stringContaining("no proof of what is claimed") }),
  );
  const given = await proven("head", "1", "given.json");
  expect(given).toMatchObject({ code: 0, stderr: "" });
  const told = verified("--key", key, "--proof", "given.json", "--head", "stop.txt");
  expect(told).toContain("head given out: ");
});

test("the sealed readings of an export are proven line by line", async () => {
  const range = ["--from", timeOf(100), "--to", timeOf(1500)];
  await until("a sealed segment", async () => {
    const { code } = await ledger("prove", "segment", "1", "--output", inFolder("segment.json"));
    return code === 0;
  });
  const made = await ledger(
    ...["prove", "readings", ...range, "--lines", inFolder("part.ndjson")],
    ...["--output", inFolder("rows.json")],
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const exported = await runProgram({
    args: ["export", ...range, "--format", "ndjson", "--output", inFolder("export.ndjson")],
    folder,
  });
  expect(exported.code).toBe(0);
  const lines = readFileSync(inFolder("export.ndjson"), "utf8");
  expect(readFileSync(inFolder("part.ndjson"), "utf8")).toBe(lines);
  const { verifier_key } = await appliance.json("/api/ledger/head");
  const given = ["--key", verifier_key, "--proof", "rows.json", "--lines"];
  expect(verified(...given, "export.ndjson")).toContain("1401 lines: readings that were sealed");
  writeFileSync(
    inFolder("forged.ndjson"),
    lines.replace('"SYS_PRESSURE":4.5', '"SYS_PRESSURE":4.6'),
  );
  expect(() => verified(...given, "forged.ndjson")).toThrow();
  const forged = await ledger(
    ...["check", inFolder("rows.json"), "--lines", inFolder("forged.ndjson")],
  );
  expect(forged).toMatchObject({ code: 1 });
  expect(forged.stdout).toContain("WRONG: lines 1 to 1401 aren't rows 100 to 1500 of segment 1");
});

test.each([
  [["prove", "lamp", "1"], 2, "expected readings, or segment, event"],
  [["prove", "event", "x"], 2, "event x: expected a number from 1"],
  [["prove", "event", "99999"], 1, "event 99999: there is none in the ledger"],
  [["prove", "readings"], 2, "expected --lines FILE"],
  [["prove", "event", "1", "--since", "99999"], 1, "size 99999: expected 1 to"],
  [["rotate", "--since", "1"], 2, "ledger rotate --since: isn't an option of it"],
  [["sign"], 2, "ledger sign: expected head, prove, check or rotate"],
  [["check", "/nowhere"], 1, "/nowhere: expected a file that can be read (ENOENT)"],
  [["check", "/"], 1, "/: expected a file that can be read (EISDIR)"],
])("ledger %j ends with %i", LONG, async (args, code, text) => {
  const found = await ledger(...args);
  expect(found.stderr).toContain(text);
  expect(found.code).toBe(code);
});

test("a proof that can't be made gives out no head", async () => {
  const total = async () => (await appliance.json("/api/ledger/heads?limit=1")).pagination.total;
  const before = await total();
  const range = ["--from", "1999-01-01", "--to", "1999-01-02", "--lines", inFolder("none.ndjson")];
  for (const asked of [
    ["event", "99999"],
    ["event", "1", "--since", "99999"],
    ["readings", ...range],
  ])
    expect((await ledger("prove", ...asked)).code).toBe(1);
  expect(await total()).toBe(before);
});

test("after a rotation the old key leads to the new one", async () => {
  const { verifier_key } = await appliance.json("/api/ledger/head");
  const rotated = await ledger("rotate", "--json");
  expect(rotated.code).toBe(0);
  const told = JSON.parse(rotated.stdout);
  expect(told.verifier_key).not.toBe(verifier_key);
  await proven("event", "1", "rotated.json");
  const said = verified("--key", verifier_key, "--proof", "rotated.json", "--head", "stop.txt");
  expect(said).toContain("(rotated)");
  const foreign = told.verifier_key.replace("BWTS-001", "BWTS-002");
  expect(() => verified("--key", foreign, "--proof", "rotated.json")).toThrow();
});

test("a backup restored elsewhere goes on under an origin that names this one", LONG, async () => {
  const { origin } = await appliance.json("/api/ledger/head");
  const backup = inFolder("stick.db");
  expect((await runProgram({ args: ["backup", backup], folder })).code).toBe(0);
  const other = inFolder("other");
  mkdirSync(other);
  cpSync(backup, path.join(other, "stick.db"));
  const restored = await runProgram({
    args: ["restore", path.join(other, "stick.db")],
    folder: other,
  });
  expect(restored).toMatchObject({ code: 0 });
  const signed = await runProgram({ args: ["ledger", "head", "--json"], folder: other });
  expect(JSON.parse(signed.stdout).origin).not.toBe(origin);
  const since = ["--since", `${stop_size}`, "--output", inFolder("restored.json")];
  const args = ["ledger", "prove", "key", "3", ...since];
  expect(await runProgram({ args, folder: other })).toMatchObject({ code: 0 });
  const said = verified("--proof", "restored.json", "--head", "stop.txt");
  expect(said).toContain(`continues ${origin} `);
  expect(said).toContain("NOT signed by the key before");
  const [, old] = /^key 2: (\S+)/m.exec(said) ?? [];
  expect(() => verified("--key", old, "--proof", "restored.json")).toThrow();
  expect((await ledger("check")).stdout).toMatch(/^\d+ leaves, root/);
  // The other machine's: verify and check say the same of what they can't compare.
  const said_of = async (...command: string[]) =>
    (await runProgram({ args: command, folder: other })).stdout;
  expect(await said_of("ledger", "check")).toMatch(/signed here\n.*proven\nnot proven: /);
  rmSync(path.join(other, "data", "ledger-signed.json"));
  const forgotten = /^not proven: the newest head signed here: ledger-signed.json is missing/m;
  for (const command of [["verify"], ["ledger", "check"]])
    expect(await said_of(...command)).toMatch(forgotten);
  expect(await said_of("ledger", "check")).not.toMatch(/newest head signed here$/m);
});
