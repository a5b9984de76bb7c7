// Logs: one line an entry, JSON for the journal, plain words on a terminal. Written synchronously,
// so that the last line before a crash is there. The same message more than REPEATS_MAX times in a
// minute is counted instead of written: a stranger on the LAN must not be able to fill the disk.

import { Writable } from "node:stream";
import { pino } from "pino";
import { MINUTE_MS } from "./clock.ts";

export type Level = "debug" | "info" | "warn" | "error";
export type Fields = Readonly<Record<string, unknown>>;

/**
 * `log.warn("disk is nearly full", { free_bytes })`: a fixed sentence, and what varies in fields.
 */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const REPEATS_MAX = 10;

/** The program's log, on stderr. */
export function openLog(level: Level): Log {
  const destination = process.stderr.isTTY ? terminal() : pino.destination({ dest: 2, sync: true });
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: "message" },
    destination,
  );
  return withoutFloods({
    isWritten: (entryLevel) => logger.isLevelEnabled(entryLevel),
    write: (entryLevel, message, fields) => logger[entryLevel](fields, message),
  });
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

function terminal(): Writable {
  return new Writable({
    write(line, _encoding, done) {
      const { level, time, message, ...fields } = JSON.parse(String(line));
      const rest = Object.entries(fields).map(
        ([name, value]) => ` ${name}=${JSON.stringify(value)}`,
      );
      const clock = String(time).slice(11, 19);
      process.stderr.write(`${clock} ${LEVEL_NAMES[level] ?? level} ${message}${rest.join("")}\n`);
      done();
    },
  });
}
