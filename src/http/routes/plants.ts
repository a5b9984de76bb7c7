// Interface B: accepts and returns one plant. The same plant again is a retry; another plant under
// a known id is refused.

import { type NewPlant, NewPlantBody } from "../../bwts/plant.ts";
import { described, givenAs, readJsonBody } from "../body.ts";
import { Refusal } from "../refusal.ts";
import { type Asked, type HttpContext, json, type Reply } from "../route.ts";

export async function createPlant(
  { request, response, by }: Asked<unknown>,
  context: HttpContext,
): Promise<Reply> {
  const plant = readPlant(await readJsonBody(request, response));
  const { id, name, tag } = plant;
  const saved = await context.savePlant(plant, by);
  switch (saved) {
    case "stored":
    case "same":
      return json(tag === null ? { name } : { name, tag });
    case "different":
      throw new Refusal(
        400,
        `id: ${id} is already stored with another name or tag, expected those or a new id`,
      );
  }
}

function readPlant(body: unknown): NewPlant {
  const result = NewPlantBody.safeParse(body);
  if (result.success) return { ...result.data, tag: result.data.tag ?? null };
  const [issue] = result.error.issues;
  const member = issue.path[0];
  if (member === undefined)
    throw new Refusal(400, `body: ${described(body)}, expected an object with id and name`);
  throw new Refusal(400, `${String(member)}: ${givenAs(body, String(member))}, ${issue.message}`);
}
