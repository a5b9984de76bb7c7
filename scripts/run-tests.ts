// `npm test -- <area>`: runs the tests of an area of the project, or of several; without one, those
// of `./scripts/test`, which leaves test/whole/ to a run of everything and to who names its area.
// This is the one place that says which test file belongs where. What isn't an area is handed on to
// vitest: a file's name, an option. `npm run test:watch -- <area>` runs them at every change.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

/** Leaves out the tests of what changes rarely and takes long to try: a folder and a tag. */
const WITHOUT_WHOLE = ["--exclude=test/whole/**", "--tags-filter=!long"];

interface Area {
  readonly about: string;
  /** Beginnings of the names of its test files, with or without their folder in test/. */
  readonly begins: readonly string[];
}

export const AREAS: Readonly<Record<string, Area>> = {
  storage: {
    about: "the database: writing, sealing, buckets, retention, voids, damage",
    begins: [
      ...["bucket", "damage", "derived", "memory", "reader-pool", "released", "retention", "row"],
      ...["seal", "segment", "store", "tag-names", "thinning", "void"],
      ...["e2e/aggregates", "e2e/damage", "e2e/digits", "e2e/disk", "e2e/readings"],
      ...["e2e/large-records", "e2e/records", "e2e/restart", "e2e/sealing", "e2e/void", "kills"],
    ],
  },
  messages: {
    about: "what a PLC sends: decoding, maps, merging, events, quarantine, replay",
    begins: [
      ...["config-map", "decode", "map", "merge", "message", "replay", "e2e/digits", "e2e/events"],
      ...["aside", "e2e/all-quarantined", "e2e/map", "e2e/quarantine", "e2e/readings"],
      "e2e/replay",
    ],
  },
  mqtt: {
    about: "the broker and the client",
    begins: ["mqtt", "e2e/client", "e2e/hostile", "e2e/siege", "simulator-mosquitto", "tls"],
  },
  http: {
    about: "the API, its document and its limits",
    begins: [
      ...[
        "http",
        "curl",
        "e2e/link-pages",
        "e2e/contract",
        "e2e/hostile",
        "e2e/parameters",
        "e2e/plants",
      ],
      ...["e2e/large-records", "e2e/metrics", "e2e/records", "e2e/siege", "grafana", "page"],
      ...["e2e/stream", "places", "readme", "tls"],
    ],
  },
  lamps: {
    about: "lamp lives, forecasts and their scores, diagnosis",
    begins: [
      ...["common-effects", "counter-derived", "diagnosis", "evaluate", "forecast", "idle-plant"],
      ...["lamp", "light-change", "ship-lamps", "e2e/diagnosis", "e2e/lamp"],
    ],
  },
  health: {
    about: "scores, alarms, gaps, failing jobs, Modbus",
    begins: [
      ...[
        "health",
        "alarms",
        "alarm-ends",
        "alarm-past",
        "alerts",
        "limit-state",
        "limits-now",
        "modbus",
        "e2e/failing-jobs",
        "plausible",
      ],
      "e2e/gaps",
      "e2e/health",
    ],
  },
  clocks: {
    about: "the PLC's clock and the box's",
    begins: ["clock", "plc-clock", "decode-time", "e2e/clock", "ship-time"],
  },
  access: {
    about: "tokens, roles, the audit log, certificates, rights",
    begins: [
      ...[
        "certificate",
        "e2e/access",
        "e2e/audit",
        "e2e/notes",
        "folding",
        "http-access",
        "http-gate",
      ],
      ...["mqtt-login", "root", "tls"],
    ],
  },
  configuration: {
    about: "keys, maps, what is refused, secrets",
    begins: ["config", "machine-fit", "quoted"],
  },
  cli: {
    about: "the commands",
    begins: [
      ...["care", "check", "command", "completion", "control", "export", "import", "json-output"],
      ...["log", "map-command", "root-commands", "simulator-command", "sql", "statement"],
    ],
  },
  care: {
    about: "backup and restore, salvage, updates and rollback",
    begins: ["backup", "power-cuts", "released", "rollback", "salvage", "update", "verify"],
  },
  ledger: {
    about: "the Merkle tree over all that must not change, its heads, proofs and verifier",
    begins: ["e2e/ledger", "unit/ledger/"],
  },
  service: {
    about: "start and stop, addresses, recovery, the supervisor",
    begins: [
      ...["check-service", "e2e/addresses", "e2e/disk", "e2e/failing-jobs", "e2e/restart"],
      ...["kills", "operating", "recovery", "supervisor"],
    ],
  },
  sparkplug: {
    about: "the edge node for SCADA systems",
    begins: ["sparkplug"],
  },
  fleet: { about: "ashore: the fleet's database and the office's commands", begins: ["fleet"] },
  operations: {
    about: "operations: found, judged, stored and answered; the record book",
    begins: [
      ...["unit/bwts/operations/", "operations", "odd-operations", "e2e/operations", "record-book"],
      ...["unit/bwts/documents/", "limits-in-force", "cleanings"],
    ],
  },
  simulator: { about: "the simulated ship", begins: ["simulator"] },
  dashboard: {
    about: "the page, what it is made of, and the manual",
    begins: [
      ...[
        "dashboard",
        "alarmed-lamps",
        "disk-forecast",
        "manual",
        "e2e/overview",
        "operation-fall",
        "page",
        "present",
      ],
      ...["data-state", "ingest-rate", "inspection", "seen-topics", "time-to-limit"],
    ],
  },
  packaged: {
    about: "the executable and its packages; needs npm run package, or TEST_PROGRAM",
    begins: ["e2e/packaged/"],
  },
  project: {
    about: "the sources, the docs, the scripts",
    begins: [
      "bench",
      "count-tests",
      "docs",
      "evaluate",
      "fuzz",
      "indexed-png",
      "package-tools",
      "readme",
      "recipes",
      "contributing",
      "sbom",
      "tidy",
      "unit/rig/",
      "watch",
    ],
  },
};

/** Every test file, from test/. */
export function testFiles(): readonly string[] {
  const all = readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" });
  return all.filter((file) => file.endsWith(".test.ts")).sort();
}

/** The test files of an area, those of a run of everything among them. */
export function filesOf({ begins }: Area): readonly string[] {
  const isIn = (file: string, begin: string) =>
    file.replace(/^whole\//, "e2e/").startsWith(begin) || path.basename(file).startsWith(begin);
  return testFiles().filter((file) => begins.some((begin) => isIn(file, begin)));
}

function run(args: readonly string[]): number {
  const isWatching = args.includes("--watch");
  const words = args.filter((word) => word !== "--watch");
  if (words.includes("--areas")) return listAreas();
  // Each change would run everything, for many minutes.
  if (isWatching && words.length === 0) {
    console.error("test:watch: expected an area or a file to watch");
    return listAreas() + 1;
  }
  const env = { ...process.env };
  if (words.includes("packaged")) env.TEST_PROGRAM ??= builtExecutable();
  const given = words.flatMap((word) =>
    Object.hasOwn(AREAS, word) ? filesOf(AREAS[word]).map((file) => `test/${file}`) : [word],
  );
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
  const left = given.some((word) => !word.startsWith("-")) ? [] : WITHOUT_WHOLE;
  const command = [vitest, isWatching ? "watch" : "run", ...new Set(given), ...left];
  const { status } = spawnSync(process.execPath, command, { cwd: root, env, stdio: "inherit" });
  return status ?? 1;
}

function listAreas(): number {
  for (const [name, area] of Object.entries(AREAS))
    console.log(`${name.padEnd(14)} ${String(filesOf(area).length).padStart(3)}  ${area.about}`);
  return 0;
}

function builtExecutable(): string {
  const file = path.join(root, "out", `ballastd-linux-${process.arch}`);
  if (!existsSync(file)) throw new Error(`${file}: is not there, expected npm run package before`);
  return file;
}

if (import.meta.main) process.exitCode = run(process.argv.slice(2));
