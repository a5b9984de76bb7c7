// The control socket on a real writer's thread: a line of JSON asks, a line answers. The writer's
// table decides what each command does; what is refused has changed nothing.

import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openControl } from "../../../../src/app/control/control.ts";
import { controlPath } from "../../../../src/app/control/protocol.ts";
import { openTap } from "../../../../src/app/control/tap.ts";
import { openHeadSigner } from "../../../../src/app/head-signer.ts";
import { writerRole } from "../../../../src/app/threads.ts";
import { loadConfig } from "../../../../src/config/load.ts";
import { readBuild } from "../../../../src/ground/assets.ts";
import { Declined } from "../../../../src/ground/errors.ts";
import { openLog } from "../../../../src/ground/log.ts";
import { openWriterThread, type Writer } from "../../../../src/sqlite/threads/writer.ts";
import { removeFolders, temporaryFolder } from "../../../rig/database.ts";
import { PROGRAM } from "../../../rig/program.ts";

const BY = { actor: "local:chief(1000)", address: null };
const HASH = "ab".repeat(32);

let writer: Writer;
let folder: string;
let ask: (request: object | string) => Promise<Record<string, unknown>>;
const restarts: number[] = [];
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  const dir = temporaryFolder();
  folder = dir;
  const env = { BALLASTD_STORAGE_DIR: dir };
  const { config } = loadConfig({ file: null, env, defaultFile: null });
  const log = openLog("error");
  writer = await openWriterThread({
    workerFile: path.join(path.dirname(PROGRAM), "worker.cjs"),
    role: writerRole(config, readBuild()),
    log,
    onDamage: () => {},
    onLost: () => {},
  });
  const report = async () => {
    throw new Error("isn't asked for");
  };
  const restart = () => restarts.push(1);
  const tap = openTap(writer);
  const none = async () => null;
  const shore = { shore: none, sendAshore: none, reloadShore: async () => undefined };
  const signer = openHeadSigner(config, { writer, log });
  const acts = { signer, tap, report, restart, ...shore };
  const control = await openControl({ dir, writer, log, ...acts });
  const socket = connect(controlPath(dir));
  await once(socket, "connect");
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  ask = async (request) => {
    const text = typeof request === "string" ? request : JSON.stringify(request);
    socket.write(`${text}\n`);
    return JSON.parse((await lines.next()).value ?? "null");
  };
  ends.push(() => socket.destroy(), control.close, writer.close);
});
afterAll(async () => {
  for (const end of ends) await end();
  removeFolders();
});

const by = "local:chief(1000)";

test("a token is valid when its adding is answered, and none after its revocation", async () => {
  const add = { command: "token_add", name: "bridge", role: "viewer", sha256: HASH, by };
  expect(await ask(add)).toEqual({ result: null });
  expect(writer.tokens()).toMatchObject([{ name: "bridge", role: "viewer" }]);
  expect(await ask(add)).toEqual({
    problem: "token bridge: is there already, expected a new name",
    damaged: false,
  });
  expect(await ask({ command: "token_revoke", name: "bridge", by })).toEqual({ result: null });
  expect(writer.tokens()).toEqual([]);
});

test.each([
  ["no JSON", "{", /JSON/],
  ["a command that this version doesn't know", { command: "fly", by }, /fly/],
  ["a member of every object for a command", { command: "toString", by }, /toString/],
  ["nobody's request", { command: "log", area: null, level: null }, /by/],
  ["a void without a reason", { command: "void", start_ms: 1, end_ms: 2, by }, /reason/],
])("%s is answered with the problem, and the next is answered", async (_name, request, problem) => {
  expect(await ask(request)).toMatchObject({ problem: expect.stringMatching(problem) });
  expect(await ask({ command: "log", area: null, level: null, by })).toHaveProperty("result.mqtt");
});

test("a given name of a megabyte isn't repeated in the refusal of it", async () => {
  const long = "x".repeat(1_000_000);
  for (const request of [
    { command: long, by },
    { command: "log", area: long, level: long, by },
  ]) {
    const { problem } = await ask(request);
    expect(String(problem).length).toBeLessThan(1100);
  }
  expect((await ask({ command: long, by })).problem).toMatch(/isn't a command of this version/);
});

test("an import is answered line by line, and what is stored can be hidden and shown", async () => {
  const at = "2026-05-01T10:00:00.000Z";
  const json = JSON.stringify({ timestamp: at, UVR_INTENSITY: 100 });
  const records = [
    { line: 1, json },
    { line: 2, json: '{"UVR_INTENSITY": 1}' },
  ];
  const imported = await ask({ command: "import", records, by });
  expect(imported).toMatchObject({ result: { stored: 1, same: 0, refused: [{ line: 2 }] } });
  const at_ms = Date.parse(at);
  const hide = { command: "void", start_ms: at_ms, end_ms: at_ms, what: "readings", reason: "dry" };
  const { corrections } = writer.totals();
  expect(await ask({ ...hide, by })).toEqual({ result: { id: 1, readings: 1 } });
  expect(writer.totals().last_reading_ms).toBeNull();
  expect(await ask({ command: "undo_void", id: 1, by })).toEqual({
    result: { id: 1, readings: 1 },
  });
  expect(writer.totals()).toMatchObject({ last_reading_ms: at_ms, corrections: corrections + 2 });
  expect(await ask({ command: "undo_void", id: 1, by })).toMatchObject({
    problem: "void 1: it was undone already",
  });
});

test("the program's own calls resolve with results, and a refusal arrives as one", async () => {
  const plant = { id: 7n, name: "a", tag: null };
  expect(await writer.call("save_plant", plant, BY)).toBe("stored");
  expect(await writer.call("save_plant", { ...plant, name: "b" }, BY)).toBe("different");
  await expect(writer.call("undo_void", { id: 99 }, BY)).rejects.toThrow(Declined);
  expect(await writer.call("seal")).toBeNull();
});

test("a request whose command was given up before it was read isn't carried out", async () => {
  const add = { command: "token_add", name: "ghost", role: "maintainer", sha256: HASH, by };
  const gone = connect(controlPath(folder));
  await once(gone, "connect");
  gone.end(`${JSON.stringify(add)}\n`);
  // Busy after each read, for longer than the pause before a request.
  let isBusy = true;
  const keepBusy = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    if (isBusy) setImmediate(keepBusy);
  };
  keepBusy();
  await once(gone, "close");
  isBusy = false;
  expect(await ask({ command: "log", area: null, level: null, by })).toHaveProperty("result");
  expect(writer.tokens()).toEqual([]);
});

test("a restart is answered before it is done", async () => {
  expect(await ask({ command: "restart", by })).toEqual({ result: null });
  await expect.poll(() => restarts).toEqual([1]);
});
