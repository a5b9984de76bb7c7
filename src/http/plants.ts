// Interface B: one plant is accepted and answered. The same plant again is a retry; another plant
// under a known id is refused.

import { type NewPlant, NewPlantBody } from "../bwts/plant.ts";
import { readJsonBody } from "./body.ts";
import { quoted, Refusal } from "./refusal.ts";
import { type Asked, type House, json, type Reply } from "./route.ts";

export async function createPlant(
  { request, response, by }: Asked<unknown>,
  house: House,
): Promise<Reply> {
  const plant = readPlant(await readJsonBody(request, response));
  const { id, name, tag } = plant;
  const saved = await house.savePlant(plant, by);
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
  const given = Object.entries(Object(body)).find(([name]) => name === member)?.[1];
  throw new Refusal(400, `${String(member)}: ${described(given)}, ${issue.message}`);
}

function described(given: unknown): string {
  if (given === undefined) return "is missing";
  if (typeof given === "string") return `${quoted(given)} was given`;
  if (Array.isArray(given)) return "an array was given";
  if (typeof given === "object" && given !== null) return "an object was given";
  return `${String(given).slice(0, 40)} was given`;
}
