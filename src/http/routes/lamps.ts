// Lamps over HTTP: readers answer about lives, the diagnosis and the track record; the writer
// stores the engineer's statement about a lamp, which forecasts then follow.

import { LampWordBody, positionOf, wordAnswer, wordOf } from "../../bwts/lamps/word.ts";
import { described, givenAs, readJsonBody } from "../body.ts";
import { Refusal } from "../refusal.ts";
import { type Asked, ask, type HttpContext, json, type Reply } from "../route.ts";

export function lamps(_asked: Asked<unknown>, context: HttpContext): Promise<Reply> {
  return ask(context, { name: "lamps" });
}

export function diagnosis(_asked: Asked<unknown>, context: HttpContext): Promise<Reply> {
  return ask(context, { name: "diagnosis" });
}

export function trackRecord(_asked: Asked<unknown>, context: HttpContext): Promise<Reply> {
  return ask(context, { name: "track_record" });
}

/** POST /admin/lamps/{nn}/replacement. */
export async function replacement(
  { request, response, path, by }: Asked<unknown>,
  context: HttpContext,
): Promise<Reply> {
  const position = positionOf(/\d+/.exec(path)?.[0] ?? "");
  if (position === null) throw new Refusal(404, "lamp: there is none, expected 01 to 16");
  const given = await readJsonBody(request, response);
  const body = LampWordBody.safeParse(given);
  if (!body.success) {
    const [issue] = body.error.issues;
    const [member] = issue.path;
    if (member === undefined)
      throw new Refusal(400, `body: ${described(given)}, expected an object with at`);
    throw new Refusal(
      400,
      `${String(member)}: ${givenAs(given, String(member))}, ${issue.message}`,
    );
  }
  const word = wordOf(position, body.data);
  const problem = await context.saveLampWord(word, by);
  if (problem !== null) throw new Refusal(400, problem);
  return json(wordAnswer(word));
}
