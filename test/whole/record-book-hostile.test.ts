// Operations and the record book in a terminal and on paper, of a plant that sends hostile names,
// and of files that are no book: nothing forges a line, and the exit code tells each outcome.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { runProgram } from "../rig/program.ts";
import { until } from "../rig/until.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START_MS = Date.parse("2026-05-01T23:30:00Z");
const FORGED = "2026-05-09 05:00 UTC  A  Ballast water taken on board (uptake)";
const PLACES = [
  `Busan\r\n${FORGED}\r\n  A.4  100 m3`,
  `\u202eBusan\u2028${FORGED}`,
  "釜山港".repeat(20),
  "e\u0301".repeat(30),
  "\u001b[2J\u001b[31mBusan",
  "=HYPERLINK(1)",
];

let appliance: Appliance;
let folder: string;
beforeAll(async () => {
  appliance = await startAppliance({});
  folder = appliance.program.folder;
  for (const [index, location] of PLACES.entries()) {
    const at = (minute: number) => START_MS + index * DAY_MS + minute * MINUTE_MS;
    const data = { operation_type: "BALLAST", location };
    const event = (minute: number, event_type: string) => ({
      ...{ kind: "events", payload: JSON.stringify({ timestamp: at(minute), event_type, data }) },
    });
    const minutes = Array.from({ length: 41 }, (_, minute) => minute);
    await appliance.publish([
      event(0, "PROCESS_START"),
      ...minutes.map((minute) => ({
        kind: "telemetry",
        payload: JSON.stringify({
          ...{ timestamp: at(minute), operation_type: "BALLAST", COMPLIANCE_MODE: "IMO" },
          ...{ PROCESS_STATE: "RUNNING", UVR_INTENSITY: 600, SYS_FLOW_RATE: 600 },
        }),
      })),
      event(40, "PROCESS_STOP"),
    ]);
  }
  await until("all to be judged", async () => {
    const all: readonly { verdict: string | null }[] = await appliance.json("/api/operations");
    return all.filter(({ verdict }) => verdict === "within_limits").length === PLACES.length;
  });
});
afterAll(() => appliance[Symbol.asyncDispose]());

const command = (...args: string[]) => runProgram({ args, folder });

/** Characters that move a cursor, begin a line, or turn text round; but for a line's end. */
const MOVING = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test("no name forges a line of the draft, in a terminal, in a file or over HTTP", async () => {
  const { text } = await appliance.get("/api/record-book?format=text");
  const file = path.join(folder, "draft.txt");
  expect((await command("record-book", "--output", file)).code).toBe(0);
  const told = await command("record-book");
  for (const draft of [text, told.stdout]) {
    const entries = draft.split("\n").filter((line) => /^\d{4}-\d\d-\d\d/.test(line));
    expect(entries).toHaveLength(PLACES.length);
    expect(entries).not.toContain(FORGED);
    expect(draft).not.toMatch(MOVING);
  }
  const { text: csv } = await appliance.get("/api/record-book?format=csv");
  expect(csv).toContain(",'=HYPERLINK(1),");
});

test("the list and each operation have lines of 80 columns, one operation a line", async () => {
  const list = await command("operations");
  const lines = list.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(1 + PLACES.length);
  const place = lines[0].indexOf("START");
  for (const line of lines) {
    expect(line).not.toMatch(MOVING);
    expect(columnsOf(line)).toBeLessThanOrEqual(80);
  }
  for (const line of lines.slice(1)) expect(line).toContain(" 23:30 00:10+1 ");
  const cells = lines.slice(1).map((line) => columnsOf(line.slice(0, line.indexOf("2026-05-"))));
  expect(new Set(cells)).toEqual(new Set([place]));
  for (const id of PLACES.keys()) {
    const one = await command("operations", String(id + 1));
    for (const line of one.stdout.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(80);
    expect(one.stdout).not.toMatch(MOVING);
  }
});

/** Letters of the Han take two columns, accents none. */
function columnsOf(line: string): number {
  const wide = line.match(/\p{Script=Han}/gu)?.length ?? 0;
  return [...line].length + wide - (line.match(/\p{Mn}/gu)?.length ?? 0);
}

const BOOK = "code,start,end,place,volume";
const RIGHT = "A,2026-05-06 23:30,2026-05-07 00:10,=HYPERLINK(1)";

test.each([
  ["book.csv", `${BOOK}\n${RIGHT},400`, 0],
  ["wrong.csv", `${BOOK}\n${RIGHT},900`, 1],
  ["partly.csv", `code,start,end,place\n${RIGHT}`, 1],
  ["empty.csv", `${BOOK}\n`, 1],
  ["odd.csv", "nothing here\n", 74],
  ["large.csv", BOOK.padEnd(2_000_000, "\n"), 74],
])("%s ends a reconciliation with its code", async (name, content, code) => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  const found = await command("reconcile", file);
  expect(found.code, found.stderr).toBe(code);
  expect(found.stdout + found.stderr).not.toContain("1970");
});

test("a file that is missing, endless or a folder is told from a book that differs", async () => {
  mkdirSync(path.join(folder, "folder.csv"));
  const names = ["missing.csv", "folder.csv", "/dev/zero"];
  const files = names.map((name) => path.resolve(folder, name));
  for (const file of files) {
    const { code, stderr, stdout } = await command("reconcile", file);
    expect(code, stderr).toBe(74);
    expect(stderr).toContain(file);
    expect(stdout).toBe("");
  }
  const book = path.join(folder, "book.csv");
  const env = { BALLASTD_STORAGE_DIR: path.join(folder, "none") };
  expect(await runProgram({ args: ["reconcile", book], folder, env })).toMatchObject({ code: 74 });
});

test("a book without entries isn't one that agrees", async () => {
  const response = await fetch(`${appliance.url}/admin/reconcile`, {
    ...{ method: "POST", headers: { "Content-Type": "text/csv" }, body: `${BOOK}\n` },
  });
  const answer = await response.json();
  expect(answer).toMatchObject({ agrees: false, results: [] });
  expect(answer.problems).toEqual([
    { line: 1, problem: expect.stringContaining("expected one, or a range with both ends") },
  ]);
  const found = await command("reconcile", path.join(folder, "empty.csv"), "--from", "2026-05-01");
  expect(found.code).toBe(1);
});

const post = (body: string) =>
  fetch(`${appliance.url}/admin/reconcile?startDate=2026-05-01&endDate=2026-05-01`, {
    ...{ method: "POST", headers: { "Content-Type": "text/csv" }, body },
  });

test("of 50 large books at once some are refused, and other answers come", async () => {
  const lines = Array.from(
    { length: 18_000 },
    (_, line) => `A,2026-05-01 00:00,2026-05-01 01:00,x,1,t${line}`,
  );
  const book = `code,start,end,place,volume,tanks\n${lines.join("\n")}`;
  const sent = Array.from({ length: 50 }, () => post(book));
  const beside = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${appliance.url}/api/operations`)),
  );
  expect(beside.map(({ status }) => status)).toEqual(beside.map(() => 200));
  const answers = await Promise.all(sent);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.every(({ headers }) => Number(headers.get("retry-after")) > 0)).toBe(true);
  expect(refused.length).toBeGreaterThan(20);
  const taken = answers.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(50 - refused.length);
  for (const answer of taken) expect((await answer.json()).read.entries).toBe(18_000);
});
