// A finding of a check: one line, with the next step if there is one. A warning is information; a
// failure stops ballastd from working.

import { messageOf } from "../../ground/errors.ts";

export interface Finding {
  readonly what: string;
  readonly state: "ok" | "warning" | "failed";
  readonly says: string;
  /** The next step; null if there is none. */
  readonly fix: string | null;
}

/** Message of an error, without the words "configuration: ", which the finding's name repeats. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^configuration: /, "");
}

export function ok(what: string, says: string): Finding {
  return { what, state: "ok", says, fix: null };
}

export function warning(what: string, says: string, fix: string): Finding {
  return { what, state: "warning", says, fix };
}

export function failed(what: string, says: string, fix: string | null): Finding {
  return { what, state: "failed", says, fix };
}
