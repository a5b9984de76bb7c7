// The last lines of the log, kept in memory for a report of a fault: where the journal was lost, or
// belongs to somebody else, the running program still knows. Bounded in bytes; warnings and errors
// have room of their own, so that chatter can't push them out.

/** Together they fit an answer of the control socket, escaped as JSON. */
const LINES_MAX_BYTES = 256 * 1024;
const PROBLEMS_MAX_BYTES = 64 * 1024;

export interface LogMemory {
  /** Keeps a line of the log, as JSON. */
  keep(line: string): void;
  /** What was logged last, oldest first, without line ends. */
  lines(): readonly string[];
  /** Warnings and errors only, which reach further back. */
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
