// One request of the page to ballastd, and the part of the page that it updates: the newest valid
// answer and the problem with the last one. A failed request keeps the earlier answer.

import { parseAnswer, type Read, type RefusalText, refusalText, type Valid } from "./checks.ts";
import { authorization, refuseEngineerToken } from "./token.ts";

/**
 * One part of the page: the newest valid answer, and the problem with the last one. `heard_ms` is
 * the time of the answer on the browser's steady clock.
 */
export interface PagePart<T> {
  /** The newest valid answer, and the path that it came from. */
  readonly known: (Valid<T> & { readonly path?: string; readonly heard_ms?: number }) | null;
  readonly problem: AnswerProblem | null;
}

/** The problem: no answer came, its shape is unknown, or it is an error with status and message. */
export interface AnswerProblem extends RefusalText {
  readonly kind: "silent" | "odd" | "refused";
  readonly path: string;
  readonly status: number | null;
}

export const UNKNOWN = { known: null, problem: null } as const;

export interface PageReply {
  readonly path: string;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** True if any answer came, even an error. */
  readonly reached: boolean;
  readonly body: unknown;
  /** The problem; null if `body` is the answer. */
  readonly problem: AnswerProblem | null;
  /** The box's clock minus the browser's, by the answer's Date header. */
  readonly offset_ms: number | null;
}

/**
 * Sends a request. Never rejects: `problem` holds any failure. With `sent` (a file, or JSON) it is
 * a POST.
 */
export async function replyTo(
  path: string,
  signal: AbortSignal,
  sent: object | null = null,
): Promise<PageReply> {
  const unanswered = { path, status: null, body: null, offset_ms: null };
  const headers = authorization(path);
  let reached = false;
  try {
    const sent_ms = Date.now();
    const response = await fetch(path.slice(1), {
      signal,
      cache: "no-store",
      ...(sent === null
        ? { headers }
        : {
            method: "POST",
            headers: { ...headers, "Content-Type": typeOf(sent) },
            body: sent instanceof Blob ? sent : JSON.stringify(sent),
          }),
    });
    reached = true;
    const { status } = response;
    const offset_ms = offsetOf(response.headers.get("Date"), sent_ms);
    const body = parseAnswer(await response.text());
    // /readyz gives its reasons with status 503; any other failure is an error answer.
    if (response.ok || (path === "/readyz" && status === 503)) {
      return { path, status, reached, body, problem: null, offset_ms };
    }
    const problem = { kind: "refused", path, status, ...refusalText(body) } as const;
    if (status === 401) refuseEngineerToken(headers, problem);
    return { path, status, reached, body, problem, offset_ms };
  } catch {
    const problem = { kind: "silent", path, status: null, message: null } as const;
    return { ...unanswered, reached, problem };
  }
}

/**
 * True for a failure not caused by the request itself: no answer, a cut one, or the server's error.
 */
export function mayPass({ problem }: PageReply): boolean {
  if (problem === null) return false;
  return problem.status === null || problem.status === 429 || problem.status >= 500;
}

const typeOf = (sent: object) => (sent instanceof Blob ? sent.type : "application/json");

/** The part after `reply`, which changes its answer or its problem. */
export function renewed<T>(before: PagePart<T>, reply: PageReply, read: Read<T>): PagePart<T> {
  if (reply.problem !== null) return { known: before.known, problem: reply.problem };
  const known = safely(read, reply.body);
  const heard = { path: reply.path, heard_ms: performance.now() };
  if (known !== null) return { known: { ...known, ...heard }, problem: null };
  const problem = { kind: "odd", path: reply.path, status: reply.status, message: null } as const;
  return { known: before.known, problem };
}

/** The reader's result; null also if the reader throws. */
function safely<T>(read: Read<T>, body: unknown): Valid<T> | null {
  try {
    return read(body);
  } catch {
    return null;
  }
}

function offsetOf(date: string | null, sent_ms: number): number | null {
  if (date === null) return null;
  const server_ms = Date.parse(date);
  if (Number.isNaN(server_ms)) return null;
  // The header has whole seconds, so on average half a second is missing; the request took time
  // too.
  return server_ms + 500 - (sent_ms + Date.now()) / 2;
}
