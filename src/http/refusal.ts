// Refusals: error answers. Every error of every route, and those found before a route, has one
// shape; a Refusal is thrown at the fault and printed in one place.

import * as z from "zod";
import { codeOf, shortened } from "../ground/errors.ts";
import { type RefusalReason, RefusalReasonShape } from "../ground/reasons.ts";

/** The meaning of each error status; the OpenAPI document uses these. */
export const REFUSALS = {
  400: "The request can't be understood; the message names what is wrong and what is expected.",
  401: "A valid bearer token is needed.",
  403: "The token's role, or the place of the request, doesn't allow this.",
  404: "There is nothing here.",
  405: "The path has no such method; Allow lists those it has.",
  406: "Accept excludes the type of the answer; the message names it.",
  408: "The request took too long to arrive.",
  409: "It is no longer in a state in which this can be done.",
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
    reasons: z
      .array(RefusalReasonShape)
      .optional()
      .meta({
        description:
          "the same for programs, where there is a code for it: a code that stays, and the " +
          "values that the message names. More codes may come",
      }),
  })
  .meta({ id: "Error" });

/** An answer with an error status; `message` is sent to the client unchanged. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly headers: Headers;
  readonly reasons: readonly RefusalReason[];
  /** True because of a limit that clients share: the log names the address. */
  readonly isCrowd: boolean;

  constructor(
    status: RefusalStatus,
    message: string,
    headers: Headers = {},
    reasons: readonly RefusalReason[] = [],
    isCrowd = false,
  ) {
    super(shortened(message));
    this.name = "Refusal";
    this.status = status;
    this.headers = headers;
    this.reasons = reasons;
    this.isCrowd = isCrowd;
  }
}

/** A Refusal of a request that may succeed `after_s` seconds later, sent as Retry-After. */
export function refusalUntil(
  after_s: number,
  message: string,
  { reasons = [], isCrowd = false }: Partial<Pick<Refusal, "reasons" | "isCrowd">> = {},
): Refusal {
  return new Refusal(503, message, { "Retry-After": String(after_s) }, reasons, isCrowd);
}

/** As `refusalUntil`, because of a limit that clients share. */
export const crowded = (after_s: number, message: string): Refusal =>
  refusalUntil(after_s, message, { isCrowd: true });

/** The body of a refusal. */
export function refusalBody({ status, message, reasons }: Refusal): string {
  return JSON.stringify({ error: status, message, ...(reasons.length > 0 && { reasons }) });
}

/** Makes the Refusal of a method that the target doesn't have. */
export type RefuseMethod = (asked: { method: string; target: string }) => Refusal;

/** The answer to an error of node's parser; null for a broken connection. */
export function refusalOfNode(error: Error, refuseMethod: RefuseMethod): Refusal | null {
  const code = codeOf(error) ?? "";
  if (code === "HPE_HEADER_OVERFLOW")
    return new Refusal(431, "the request's head is too large, expected at most 32 KiB");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new Refusal(408, "the request took too long to arrive");
  if (!code.startsWith("HPE_")) return null;
  const line = code === "HPE_INVALID_METHOD" ? REQUEST_LINE.exec(textAt(error)) : null;
  if (line !== null) return refuseMethod({ method: line[1], target: line[2] });
  return new Refusal(400, "the request is not valid HTTP/1.1");
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) ([!-~]+) HTTP\/1\.[01]\r?\n/;

/**
 * The text from the line on at which node's parser stopped, cut to the length of a request line.
 */
function textAt(error: Error): string {
  const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
  const parsed_bytes = "bytesParsed" in error ? Number(error.bytesParsed) : 0;
  if (packet === null) return "";
  const start = packet.subarray(0, parsed_bytes).lastIndexOf("\n") + 1;
  return packet.toString("latin1", start, start + 2048);
}
