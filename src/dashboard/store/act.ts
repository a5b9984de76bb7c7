// Acts of the engineer, such as acknowledging an alert: a POST with a token of that role. It is
// kept in memory alone, and forgotten after 15 minutes without a touch or a key, because the page
// stays open on a PC that everybody passes.

import { errorMessage, parseAnswer } from "./checks.ts";
import { askEverything } from "./store.ts";
import { authorization } from "./token.ts";

const IDLE_MAX_MS = 15 * 60_000;
const ANSWER_MAX_MS = 30_000;

/** `token` if there is none, or if the one given isn't an engineer's: `message` says why. */
export type ActOutcome =
  | { readonly kind: "done" | "silent" }
  | { readonly kind: "token" | "refused"; readonly message: string | null };

let token: string | null = null;
let used_ms = 0;

/** Keeps a token for the acts that follow. */
export function giveEngineerToken(given: string): void {
  token = given;
  keep();
  for (const kind of ["pointerdown", "keydown"])
    document.addEventListener(kind, keepOrForget, true);
}

export function forgetEngineerToken(): void {
  token = null;
  for (const kind of ["pointerdown", "keydown"])
    document.removeEventListener(kind, keepOrForget, true);
}

/** Does what `path` names. The page's own token serves, if it is an engineer's. Never rejects. */
export async function act(path: string, body: object): Promise<ActOutcome> {
  keepOrForget();
  const headers = token === null ? authorization() : { Authorization: `Bearer ${token}` };
  if (headers.Authorization === undefined) return { kind: "token", message: null };
  const asking = new AbortController();
  const limit = window.setTimeout(() => asking.abort(), ANSWER_MAX_MS);
  try {
    const answer = await fetch(path.slice(1), {
      method: "POST",
      signal: asking.signal,
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) {
      askEverything();
      return { kind: "done" };
    }
    const message = errorMessage(parseAnswer(await answer.text()));
    if (answer.status !== 401 && answer.status !== 403) return { kind: "refused", message };
    forgetEngineerToken();
    return { kind: "token", message };
  } catch {
    return { kind: "silent" };
  } finally {
    window.clearTimeout(limit);
  }
}

/** By the browser's clock as well: the steady one stands still while a computer sleeps. */
function keepOrForget(): void {
  if (token === null) return;
  if (Math.abs(Date.now() - used_ms) >= IDLE_MAX_MS) forgetEngineerToken();
  else keep();
}

let timer = 0;

function keep(): void {
  used_ms = Date.now();
  window.clearTimeout(timer);
  timer = window.setTimeout(forgetEngineerToken, IDLE_MAX_MS);
}
