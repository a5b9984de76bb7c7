// The tokens that the page was given, in memory only: never in a URL, a cookie or the browser's
// storage, so a reload asks again. The page's own is for reading, where auth.monitoring requires
// one. The engineer's is for work, and is forgotten after 15 minutes without a touch or a key,
// because the page stays open on a PC that everybody passes. The page's own serves for work too, if
// it is an engineer's, for as long; afterwards it serves for reading alone.

const IDLE_MAX_MS = 15 * 60_000;
const SIGNS = ["pointerdown", "keydown"] as const;

let token: string | null = null;
/** True while the page's own token may be sent for work. */
let servesForWork = false;
const listeners: (() => void)[] = [];

/** True after the page's own token was given, and while it isn't refused. */
export function hasToken(): boolean {
  return token !== null;
}

/** Work, which engineers and maintainers may do; to compare a record book is none. */
const WORK = /^\/admin\/(?!reconcile\b)/;
/** The answer has more for engineers and maintainers. */
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

/** Sets the page's own token, null to forget it. */
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
  /** True if this one, or the page's own, may be sent for work. */
  readonly isOpen: boolean;
  /** The reason why the last one was refused, "" if none was told; null if none was refused. */
  readonly refused: string | null;
}

let engineer: string | null = null;
let refused: string | null = null;
let touched_ms = 0;
let timer = 0;
const engineerListeners = new Set<() => void>();

export function engineerToken(): EngineerToken {
  const isKnown = engineer !== null;
  return { isKnown, isOpen: isKnown || servesForWork, refused };
}

/** Calls `listener` after each change of the engineer's token; the answer ends that. */
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

/** Forgets the engineer's token, if `sent` has it, for ballastd refused what was sent. */
export function refuseEngineerToken(sent: Record<string, string>, reason: string | null): void {
  if (engineer !== null && sent.Authorization === bearer(engineer)) forgetFor(reason ?? "");
}

export function forgetEngineerToken(): void {
  forgetFor(null);
}

function forgetFor(reason: string | null): void {
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

function setEngineer(given: string | null, reason: string | null): void {
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

/** By the browser's clock as well: the steady one stands still while a computer sleeps. */
function forgetIfIdle(): void {
  if (engineerToken().isOpen && Math.abs(Date.now() - touched_ms) >= IDLE_MAX_MS) forgetForWork();
}
