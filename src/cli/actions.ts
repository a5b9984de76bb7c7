// The failure of a command that got a wrong action, such as `ballastd token remove`, or none. All
// commands with actions word it alike.

import { EXIT, Failure } from "../ground/errors.ts";

/** A usage Failure that names the words given behind `command`, and the actions expected. */
export function wrongAction(command: string, given: string | undefined, expected: string): Failure {
  return new Failure(EXIT.usage, `${[command, given].join(" ").trim()}: expected ${expected}`);
}
