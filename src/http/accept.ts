// Content negotiation (RFC 9110, section 12.5.1). An operation answers in one type, so the only
// decision is if the client accepts it. Parameters of a type are not compared. A weight that can't
// be read counts as none, since old clients write `*; q=.2`.

import type { IncomingMessage } from "node:http";
import { quoted } from "../ground/quoted.ts";
import { Refusal } from "./refusal.ts";

/** Throws a Refusal (406) if the request's Accept excludes `type`. */
export function requireAccepted({ headers }: IncomingMessage, type: string): void {
  const { accept } = headers;
  if (accept === undefined || accept.trim() === "" || isAccepted(accept, type)) return;
  const [name] = type.split(";");
  throw new Refusal(406, `Accept: ${quoted(accept)} was given, expected ${name} or */*`);
}

/** True unless `accept` excludes `type`: its most specific range decides. */
function isAccepted(accept: string, type: string): boolean {
  const name = type.split(";")[0].trim();
  const ranges = rangesIn(accept);
  const [group] = name.split("/");
  for (const range of [name, `${group}/*`, "*/*"]) {
    const isWanted = ranges.get(range);
    if (isWanted !== undefined) return isWanted;
  }
  return false;
}

/** True for each range that is wanted; of several equal ones, one with a weight suffices. */
function rangesIn(accept: string): ReadonlyMap<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const [given, ...parameters] of listedParts(accept)) {
    const range = given === "*" ? "*/*" : given;
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter)) ?? "q=1";
    const isWanted = Number(weight.slice(weight.indexOf("=") + 1) || 1) !== 0;
    ranges.set(range, isWanted || ranges.get(range) === true);
  }
  return ranges;
}

/** The parts of a list such as `br;q=0.5, gzip`, in lower case: each a name and its parameters. */
export function listedParts(list: string): readonly (readonly string[])[] {
  const parts = list.toLowerCase().split(",");
  return parts.map((part) => part.split(";").map((text) => text.trim()));
}
