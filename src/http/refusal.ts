// Refusals: error answers. Every error of every route, and those found before a route, has one
// shape; a Refusal is thrown at the fault and printed in one place.

import * as z from "zod";

/** The meaning of each error status; the OpenAPI document uses these. */
export const REFUSALS = {
  400: "The request can't be understood; the message names what is wrong and what is expected.",
  401: "A valid bearer token is needed.",
  403: "The token's role doesn't allow this.",
  404: "There is nothing here.",
  405: "The path has no such method; Allow lists those it has.",
  408: "The request took too long to arrive.",
  413: "The body is too large.",
  414: "The URL is too long.",
  415: "The body is not plain application/json.",
  421: "Host names another machine; http.allowed_hosts lists the names that are taken.",
  429:
    "Too many wrong tokens from this address; try again after Retry-After. " +
    "A right one is let in.",
  431: "The request's head is too large.",
  500: "A fault of ballastd itself; nothing that is sent should cause it.",
  503: "Busy, or not able at present; ask again after Retry-After.",
} as const;

export type RefusalStatus = keyof typeof REFUSALS;
export type Headers = Readonly<Record<string, string>>;

export const ErrorAnswer = z
  .object({
    error: z.number().int().min(400).max(599).meta({
      format: "int32",
      description: "the HTTP status",
    }),
    message: z.string().meta({ description: "the problem and the expected values" }),
  })
  .meta({ id: "Error" });

/** An answer with an error status; `message` is sent to the client unchanged. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly headers: Headers;

  constructor(status: RefusalStatus, message: string, headers: Headers = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.headers = headers;
  }
}

/** A Refusal of a request that may succeed `after_s` seconds later, sent as Retry-After. */
export function refusalUntil(after_s: number, message: string): Refusal {
  return new Refusal(503, message, { "Retry-After": String(after_s) });
}

/** The body of a refusal. */
export function refusalBody(refusal: Refusal): string {
  return JSON.stringify({ error: refusal.status, message: refusal.message });
}

// Enough to recognise what was given, too little to make an answer long.
const QUOTED_MAX = 80;

/** A client's text, quoted and cut, for a message. */
export function quoted(given: string): string {
  const cut = given.length > QUOTED_MAX ? `${given.slice(0, QUOTED_MAX)}...` : given;
  return JSON.stringify(cut.toWellFormed());
}
