// The tokens given to the page, in memory only: never in a URL, a cookie or the browser's storage,
// so a reload asks again. The page's own token is for reading, if auth.monitoring requires one. The
// engineer's is for work, and is forgotten after 15 minutes without a touch or a key, because the
// page stays open on a PC that everybody passes. The page's own token also serves for work if it is
// an engineer's, for the same time; then it serves for reading only.

import type { RefusalText } from "./checks.ts";

const IDLE_MAX_MS = 15 * 60_000;
const SIGNS = ["pointerdown", "keydown"] as const;

let token: string | null = null;
/** True while the page's own token may be used for changes. */
let servesForWork = false;
const listeners: (() => void)[] = [];

/** True if the page's own token was given and hasn't been refused. */
export function hasToken(): boolean {
  return token !== null;
}

/** Paths of work for engineers and maintainers; comparing a record book isn't work. */
const WORK = /^\/admin\/(?!reconcile\b)/;
/** Path whose answer has more members for engineers and maintainers. */
const MORE_FOR_ENGINEERS = "/api/system";

/** The header for a request of `path`; none without a token. */
export function authorization(path: string): Record<string, string> {
  forgetIfIdle();
  const isWork = WORK.test(path);
  const own = servesForWork || !isWork ? token : null;
  const sent = isWork || path === MORE_FOR_ENGINEERS ? (engineer ?? own) : own;
  return sent === null ? {} : { Authorization: bearer(sent) };
}

function bearer(given: string): string {
  return `Bearer ${given}`;
}

/** Sets the page's own token; null forgets it. */
export function setToken(given: string | null): void {
  token = given;
  servesForWork = given !== null;
  if (given === null) return;
  watchTouches();
  for (const listener of listeners) listener();
}

/** Calls `listener` after the page's own token was given. */
export function onToken(listener: () => void): void {
  listeners.push(listener);
}

export interface EngineerToken {
  readonly isKnown: boolean;
  /** True if this token, or the page's own, may be used for changes. */
  readonly isOpen: boolean;
  /** The refusal of the last token; null if none was refused. */
  readonly refused: RefusalText | null;
}

let engineer: string | null = null;
let refused: RefusalText | null = null;
let touched_ms = 0;
let timer = 0;
const engineerListeners = new Set<() => void>();

export function engineerToken(): EngineerToken {
  const isKnown = engineer !== null;
  return { isKnown, isOpen: isKnown || servesForWork, refused };
}

/**
 * Calls `listener` after each change of the engineer's token; returns a function that ends this.
 */
export function onEngineerToken(listener: () => void): () => void {
  engineerListeners.add(listener);
  return () => engineerListeners.delete(listener);
}

export function giveEngineerToken(given: string): void {
  touched_ms = Date.now();
  setEngineer(given, null);
  watchTouches();
}

function watchTouches(): void {
  touched_ms = Date.now();
  touch();
  for (const sign of SIGNS) document.addEventListener(sign, touch, true);
}

/** Forgets the engineer's token if it is in the headers `sent`, because ballastd refused it. */
export function refuseEngineerToken(sent: Record<string, string>, reason: RefusalText): void {
  if (engineer !== null && sent.Authorization === bearer(engineer)) forgetFor(reason);
}

export function forgetEngineerToken(): void {
  forgetFor(null);
}

function forgetFor(reason: RefusalText | null): void {
  if (!servesForWork) {
    window.clearTimeout(timer);
    for (const sign of SIGNS) document.removeEventListener(sign, touch, true);
  }
  setEngineer(null, reason);
}

function forgetForWork(): void {
  servesForWork = false;
  forgetEngineerToken();
}

function setEngineer(given: string | null, reason: RefusalText | null): void {
  engineer = given;
  refused = reason;
  for (const listener of engineerListeners) listener();
}

function touch(): void {
  forgetIfIdle();
  if (!engineerToken().isOpen) return;
  touched_ms = Date.now();
  window.clearTimeout(timer);
  timer = window.setTimeout(forgetForWork, IDLE_MAX_MS);
}

/**
 * Forgets the tokens for changes after the idle time, by the browser's clock as well: timers stand
 * still while a computer sleeps.
 */
function forgetIfIdle(): void {
  if (engineerToken().isOpen && Math.abs(Date.now() - touched_ms) >= IDLE_MAX_MS) forgetForWork();
}
