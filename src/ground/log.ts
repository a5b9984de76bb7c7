// The program's log: one line for each entry, JSON with a priority for the journal, plain text on a
// terminal. Written synchronously, so that the last line before a crash is there; the last lines
// are kept in memory for a fault report. Each area has its own level, which can change at run time.
// A message repeated more than REPEATS_MAX times in a minute is only counted: a stranger on the LAN
// must not be able to fill the disk.

import { fstatSync } from "node:fs";
import { pino } from "pino";
import { MINUTE_MS } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LOG_LEVELS)[number];
export type Fields = Readonly<Record<string, unknown>>;

/** Areas with their own levels; the rest of the program is `service`. */
export const AREAS = [
  "service",
  "mqtt",
  "http",
  "storage",
  "jobs",
  "modbus",
  "shore",
  "sparkplug",
] as const;
export type Area = (typeof AREAS)[number];

/**
 * The log of an area: a fixed sentence, with varying facts in fields, as `log.warn("disk is nearly
 * full", { free_bytes })`.
 */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** The program's log; used directly it is the log of the area `service`. */
export interface ProgramLog extends Log {
  area(area: Area): Log;
  /** Sets the level of an area, null: of all areas. */
  setLevel(level: Level, area: Area | null): void;
  levels(): Readonly<Record<Area, Level>>;
  /** The last lines, kept in memory. */
  readonly memory: Pick<LogMemory, "lines" | "problems">;
}

const REPEATS_MAX = 10;

/** The program's log, on stderr. */
export function openLog(level: Level): ProgramLog {
  const memory = openLogMemory();
  const write = process.stderr.isTTY ? writeToTerminal : openStream();
  const destination = {
    write(line: string) {
      memory.keep(line);
      write(line);
    },
  };
  const logger = pino(
    { level: "debug", base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" },
    destination,
  );
  const levels = new Map<Area, Level>(AREAS.map((area) => [area, level]));
  const logs = new Map(
    AREAS.map((area) => [
      area,
      withoutFloods({
        isWritten: (entry) =>
          LOG_LEVELS.indexOf(entry) >= LOG_LEVELS.indexOf(levels.get(area) ?? level),
        write: (entry, message, fields) =>
          logger[entry](area === "service" ? fields : { area, ...fields }, message),
      }),
    ]),
  );
  const areaLog = (area: Area): Log => {
    const log = logs.get(area);
    if (log === undefined) throw new Error(`log: got ${area}, expected ${AREAS.join(", ")}`);
    return log;
  };
  return {
    ...areaLog("service"),
    area: areaLog,
    setLevel(wanted, area) {
      for (const one of area === null ? AREAS : [area]) levels.set(one, wanted);
    },
    levels() {
      const of = (area: Area) => levels.get(area) ?? level;
      return {
        service: of("service"),
        mqtt: of("mqtt"),
        http: of("http"),
        storage: of("storage"),
        jobs: of("jobs"),
        modbus: of("modbus"),
        sparkplug: of("sparkplug"),
        shore: of("shore"),
      };
    },
    memory,
  };
}

interface Sink {
  isWritten(level: Level): boolean;
  write(level: Level, message: string, fields: Fields): void;
}

function withoutFloods({ isWritten, write }: Sink): Log {
  let window_ms = 0;
  const seen = new Map<string, number>();
  const entry = (level: Level) => (message: string, fields?: Fields) => {
    if (!isWritten(level)) return;
    const now_ms = Date.now();
    if (now_ms - window_ms >= MINUTE_MS || now_ms < window_ms) {
      for (const [text, count] of seen)
        if (count > REPEATS_MAX)
          write("warn", "repeated log entries were counted", {
            entry: text,
            unwritten: count - REPEATS_MAX,
          });
      seen.clear();
      window_ms = now_ms;
    }
    const count = (seen.get(message) ?? 0) + 1;
    seen.set(message, count);
    if (count <= REPEATS_MAX) write(level, message, fields ?? {});
  };
  return { debug: entry("debug"), info: entry("info"), warn: entry("warn"), error: entry("error") };
}

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  20: "debug",
  30: "info ",
  40: "WARN ",
  50: "ERROR",
};

/** Priorities for the journal (sd-daemon(3)), by pino's number of the level. */
const PRIORITIES: Readonly<Record<string, string>> = {
  20: "<7>",
  30: "<6>",
  40: "<4>",
  50: "<3>",
};

/** Prefix that marks a line on stderr as an error for the journal; "" if stderr goes elsewhere. */
export function errorPriority(): string {
  return isJournal() ? PRIORITIES[50] : "";
}

/** True if stderr is the stream that the journal reads; a redirected one isn't. */
function isJournal(): boolean {
  const { JOURNAL_STREAM } = process.env;
  if (!JOURNAL_STREAM) return false;
  const { dev, ino } = fstatSync(2, { bigint: true });
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

function openStream(): (line: string) => void {
  const destination = pino.destination({ dest: 2, sync: true });
  if (!isJournal()) return (line) => void destination.write(line);
  return (line) => {
    const priority = PRIORITIES[/^\{"level":(\d+)/.exec(line)?.[1] ?? ""] ?? "";
    destination.write(priority + line);
  };
}

function writeToTerminal(line: string): void {
  const { level, time, message, ...fields } = JSON.parse(line);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const clock = String(time).slice(11, 19);
  process.stderr.write(`${clock} ${LEVEL_NAMES[level] ?? level} ${message}${rest.join("")}\n`);
}

/** Maximum bytes of lines and of problems kept, to fit an answer of the control socket. */
const LINES_MAX_BYTES = 256 * 1024;
const PROBLEMS_MAX_BYTES = 64 * 1024;

interface LogMemory {
  /** Keeps a line of the log, as JSON. */
  keep(line: string): void;
  /** The last lines, oldest first, without line ends. */
  lines(): readonly string[];
  /** Warnings and errors only, further back in time. */
  problems(): readonly string[];
}

function openLogMemory(): LogMemory {
  const lines = openRing(LINES_MAX_BYTES);
  const problems = openRing(PROBLEMS_MAX_BYTES);
  return {
    keep(line) {
      const text = line.trimEnd();
      lines.add(text);
      // pino's numbers: 40 is a warning, 50 an error.
      if (/^\{"level":[45]0,/.test(text)) problems.add(text);
    },
    lines: lines.all,
    problems: problems.all,
  };
}

function openRing(max: number) {
  const kept: string[] = [];
  let length = 0;
  return {
    add(text: string) {
      kept.push(text);
      length += text.length;
      while (length > max) length -= kept.shift()?.length ?? 0;
    },
    all: (): readonly string[] => [...kept],
  };
}
