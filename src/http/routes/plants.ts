// The routes of interface B, which accept and return one plant. The same plant again is a retry;
// another plant under a known id is refused.

import { NewPlantBody, PlantAnswer } from "../../bwts/plant.ts";
import { readBody } from "../body.ts";
import { Refusal } from "../refusal.ts";
import { json, route } from "../route.ts";

export const PLANT_ROUTE = route({
  method: "POST",
  path: "/plants",
  operation: "createPlant",
  group: "plants",
  access: "engineer",
  summary: "Stores a plant; the same one again is answered as the first time",
  body: NewPlantBody,
  answer: PlantAnswer,
  errors: [413, 415, 503],
  async handle(asked, context) {
    const body = await readBody(NewPlantBody, asked, "an object with id and name");
    const { id, name, tag = null } = body;
    switch (await context.write("save_plant", { id, name, tag }, asked.by)) {
      case "stored":
      case "same":
        return json(tag === null ? { name } : { name, tag });
      case "different":
        throw new Refusal(
          400,
          `id: ${id} is already stored with another name or tag, expected those or a new id`,
        );
    }
  },
});
