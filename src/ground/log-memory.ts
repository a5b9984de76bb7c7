// Keeps the last lines of the log in memory for a fault report, since the journal may be lost or
// belong to another user. Bounded in bytes; warnings and errors have their own space, so that other
// lines can't displace them.

/** Together they fit an answer of the control socket, escaped as JSON. */
const LINES_MAX_BYTES = 256 * 1024;
const PROBLEMS_MAX_BYTES = 64 * 1024;

export interface LogMemory {
  /** Keeps a line of the log, as JSON. */
  keep(line: string): void;
  /** The last lines, oldest first, without line ends. */
  lines(): readonly string[];
  /** Warnings and errors only, further back in time. */
  problems(): readonly string[];
}

export function openLogMemory(): LogMemory {
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
