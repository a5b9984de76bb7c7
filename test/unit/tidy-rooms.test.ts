// The rooms of src/: who may import whom, and how full a room may be. Each test lists every offence
// as `file:line`, so that one run shows them all.

import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Size, sizeProblems } from "../rig/caps.ts";
import { circlesOf } from "../rig/circles.ts";
import { type Import, type Module, readModules, readTexts, root, written } from "../rig/sources.ts";

const texts = readTexts();
const modules = readModules(texts);
const sources = modules.filter((file) => file.path.startsWith("src/"));

// Pages know these and none of each other.
const SHARED_BY_PAGES = [
  ...["bwts/*", "dashboard/lang", "dashboard/store"],
  ...["dashboard/parts", "dashboard/chart", "dashboard/watch"],
] as const;

// The rooms of src/, from the ground up, and the rooms that each may import beside itself: `x` is
// room x alone, `x/*` is x and all rooms in it. Only rooms higher up in this list count.
const ROOMS = {
  ground: [],
  config: ["ground"],
  bwts: ["ground"],
  "bwts/present": ["ground", "bwts"],
  "bwts/operations": ["ground", "bwts", "bwts/present"],
  "bwts/judging": ["ground", "bwts", "bwts/present", "bwts/operations"],
  "bwts/light": ["ground", "bwts", "bwts/present"],
  "bwts/lamps": ["ground", "bwts", "bwts/present", "bwts/light"],
  "bwts/record-book": ["ground", "bwts", "bwts/operations"],
  "bwts/documents": ["ground", "bwts", "bwts/present", "bwts/operations", "bwts/record-book"],
  payload: ["ground", "config", "bwts"],
  codec: ["ground", "bwts"],
  ledger: ["ground", "codec"],
  "sqlite/file": ["ground", "bwts/*", "codec", "ledger"],
  "sqlite/sealed": ["ground", "bwts/*", "codec", "sqlite/*"],
  "sqlite/records": ["ground", "config", "bwts/*", "codec", "ledger", "sqlite/*"],
  "sqlite/derived": ["ground", "bwts/*", "codec", "sqlite/*"],
  "sqlite/exchange": ["ground", "bwts/*", "payload", "codec", "ledger", "sqlite/*"],
  "sqlite/answers": ["ground", "bwts/*", "codec", "sqlite/*"],
  "sqlite/care": ["ground", "bwts/*", "codec", "ledger", "sqlite/*"],
  "sqlite/threads": ["ground", "config", "bwts/*", "payload", "codec", "sqlite/*"],
  mqtt: ["ground", "config", "bwts"],
  scada: ["ground", "config", "bwts/*", "sqlite/*", "mqtt"],
  http: ["ground", "config", "bwts/*", "sqlite/*"],
  "http/routes": ["ground", "bwts/*", "ledger", "sqlite/*", "http"],
  jobs: ["ground", "config", "bwts/*", "sqlite/*"],
  shore: ["ground", "config", "bwts/*", "codec", "sqlite/*"],
  "app/control": ["ground", "config", "bwts/*", "ledger", "sqlite/*", "mqtt", "http", "shore"],
  app: [
    ...["ground", "config", "bwts/*", "payload", "sqlite/*", "mqtt", "scada"],
    ...["http/*", "shore", "jobs", "app/control"],
  ],
  "app/recovery": [
    ...["ground", "config", "bwts/*", "payload", "sqlite/*", "http/*", "shore", "jobs", "app/*"],
  ],
  simulator: ["ground", "config", "bwts"],
  cli: [
    ...["ground", "config", "bwts/*", "payload", "codec", "ledger", "sqlite/*", "shore", "app"],
    "app/control",
  ],
  // The office ashore. Of the ship's rooms only the command `fleet` knows it.
  office: ["ground", "config", "bwts/*", "codec", "sqlite/*", "http", "shore", "cli"],
  "office/proof": ["ground", "bwts/*", "codec", "ledger", "sqlite/*", "cli", "office"],
  "cli/commands": [
    ...["ground", "config", "bwts/*", "payload", "ledger", "sqlite/*", "app/*", "simulator"],
    ...["cli/*", "office", "office/proof"],
  ],
  // The entries, main.ts and worker.ts.
  "": ["ground", "payload", "sqlite/*", "cli/*"],
  // The page: first its entry and its style, then its rooms from the ground up.
  dashboard: [],
  "dashboard/lang": ["bwts", "bwts/present", "bwts/operations"],
  "dashboard/store": ["bwts/*"],
  "dashboard/parts": SHARED_BY_PAGES,
  "dashboard/chart": SHARED_BY_PAGES,
  // Alerts stand in the frame too, notes below curves and operations.
  "dashboard/watch": SHARED_BY_PAGES,
  "dashboard/overview": SHARED_BY_PAGES,
  "dashboard/trends": SHARED_BY_PAGES,
  "dashboard/lamps": SHARED_BY_PAGES,
  "dashboard/operations": SHARED_BY_PAGES,
  // Record book, inspection, export. Behind the inspection sheet are sheets of operations.
  "dashboard/papers": [...SHARED_BY_PAGES, "dashboard/operations"],
  "dashboard/system": SHARED_BY_PAGES,
  // Broker and backups are facts of the page System.
  "dashboard/first-watch": [...SHARED_BY_PAGES, "dashboard/system"],
  "dashboard/shell": ["bwts/*", "dashboard/*"],
  // The office's page, an entry of its own.
  "office/page": ["bwts/*", "dashboard/*"],
} as const;
type Room = keyof typeof ROOMS;
const ROOM_NAMES = Object.keys(ROOMS);

// Packages that only one folder knows, or two.
const HOMES: ReadonlyMap<string, readonly string[]> = new Map([
  ["better-sqlite3", ["sqlite"]],
  ["aedes", ["mqtt"]],
  ["mqtt", ["mqtt", "scada", "simulator"]],
  ["@bufbuild/protobuf/wire", ["scada"]],
  ["node-cron", ["jobs"]],
  ["pg", ["office", "shore"]],
  ["aws4fetch", ["shore"]],
  ["hyparquet-writer", ["sqlite"]],
  ["@tinyhttp/app", ["http"]],
  ["preact", ["dashboard", "office"]],
  ["uplot", ["dashboard"]],
]);

describe("imports", () => {
  test("go to rooms that a room may know, never up or sideways", () => {
    const arrows = sources.flatMap((file) =>
      file.imports
        .filter(({ from }) => from.startsWith("src/"))
        .filter((item) => !mayImport(file, item))
        .map(({ line, from }) => `${file.path}:${line} imports ${from}`),
    );
    expect(arrows).toEqual([]);
  });

  test("of a package stay in the folder that knows it", () => {
    const strays = sources.flatMap((file) =>
      file.imports
        .filter(({ from }) => HOMES.get(from)?.includes(folderOf(file.path)) === false)
        .map(({ line, from }) => `${file.path}:${line} imports ${from}`),
    );
    expect(strays).toEqual([]);
  });

  test("take zod as a namespace, of which the bundle leaves out what nothing uses", () => {
    const named = texts.filter(({ text }) => /^import (type )?\{.*\} from "zod"/m.test(text));
    expect(named.map((file) => file.path).filter((file) => file.startsWith("src/"))).toEqual([]);
  });

  test("of scripts take only the rig of the tests, and the rig takes nothing of them", () => {
    const isForeign = (file: Module, { from }: Import) =>
      file.path.startsWith("scripts/")
        ? from.startsWith("test/") && !from.startsWith("test/rig/")
        : file.path.startsWith("test/rig/") && from.startsWith("scripts/");
    const strays = modules.flatMap((file) =>
      file.imports
        .filter((item) => isForeign(file, item))
        .map(({ line, from }) => `${file.path}:${line} imports ${from}`),
    );
    expect(strays).toEqual([]);
  });

  test("name files that exist", () => {
    const missing = modules.flatMap((file) =>
      file.imports
        .filter(({ from }) => /^(src|test|scripts)\//.test(from))
        .filter(({ from }) => !existsSync(path.join(root, from)))
        .map(({ line, from }) => `${file.path}:${line} imports ${from}`),
    );
    expect(missing).toEqual([]);
  });

  test("make no circle, with types or without, also within a room", () => {
    const graph = modules.map((file) => [file.path, file.imports.map(({ from }) => from)] as const);
    expect(circlesOf(new Map(graph))).toEqual([]);
  });

  test("leave the domain without input, output and a clock of its own", () => {
    const impure = sources
      .filter((file) => folderOf(file.path) === "bwts")
      .flatMap((file) => [
        ...file.imports.filter(({ from }) => from.startsWith("node:")).map(placeIn(file)),
        ...linesWith(file, /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\./),
      ]);
    expect(impure).toEqual([]);
  });
});

describe("rooms", () => {
  test("and files are within their caps, or tidy-caps.json says why not", () => {
    const inRooms = Map.groupBy(
      texts.filter(({ path: file }) => /^src\/.*\.(tsx?|css|html)$/.test(file)),
      (file) => roomOf(file.path),
    );
    const roomSizes = [...inRooms].flatMap(([name, files]): readonly Size[] => [
      { of: "rooms", name, unit: "files", size: files.length },
      {
        ...{ of: "rooms", name, unit: "lines" },
        size: files.reduce((sum, file) => sum + file.lines.length, 0),
      },
    ]);
    // A migration is one text, and never changes.
    const fileSizes = written(texts)
      .filter(({ path: file }) => !file.startsWith("sql/migrations/"))
      .map(
        (file): Size => ({
          ...{ of: "files", name: file.path, unit: "lines", size: file.lines.length },
        }),
      );
    expect(sizeProblems([...roomSizes, ...fileSizes])).toEqual([]);
    expect(inRooms.get("")?.map((file) => file.path)).toEqual(["src/main.ts", "src/worker.ts"]);
  });
});

function mayImport(file: Module, { from }: Import): boolean {
  const [room, other] = [roomOf(file.path), roomOf(from)];
  if (room === other) return true;
  const isAbove = ROOM_NAMES.indexOf(other) < ROOM_NAMES.indexOf(room);
  const allowed: readonly string[] = ROOMS[room];
  return isAbove && allowed.some((pattern) => matches(pattern, other));
}

function matches(pattern: string, room: string): boolean {
  if (!pattern.endsWith("/*")) return pattern === room;
  const folder = pattern.slice(0, -2);
  return room === folder || room.startsWith(`${folder}/`);
}

/** The room of a file in src/: its folder. */
function roomOf(file: string): Room {
  const folder = path.dirname(file).split("/").slice(1).join("/");
  const room = ROOM_NAMES.find((name): name is Room => name === folder);
  if (room === undefined) throw new Error(`${file}: expected one of the rooms in ROOMS`);
  return room;
}

/** The first folder of a file in src/. */
function folderOf(file: string): string {
  return roomOf(file).split("/")[0];
}

function linesWith(file: { path: string; lines: readonly string[] }, pattern: RegExp) {
  return file.lines.flatMap((text, index) =>
    pattern.test(text) ? [`${file.path}:${index + 1} ${text.trim()}`] : [],
  );
}

function placeIn(file: { path: string }): (part: { line: number }) => string {
  return ({ line }) => `${file.path}:${line}`;
}
