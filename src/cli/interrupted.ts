// The words of a long command that is interrupted: what stays of its work, and what to type next.
// Only for a command that waits while it works: a signal's listener runs at no other time.

import { EXIT } from "../ground/errors.ts";
import { escapedLines } from "./document.ts";

/** SIGINT and SIGTERM end the program with these words, until the function returned is called. */
export function tellWhenInterrupted(words: string): () => void {
  const stop = () => {
    process.stderr.write(`ballastd: ${escapedLines(words)}\n`);
    process.exit(EXIT.failed);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  return () => void process.off("SIGINT", stop).off("SIGTERM", stop);
}
