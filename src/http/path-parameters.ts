// The parameters in the paths of the API, such as the number of a lamp, as the OpenAPI document has
// them: each with its meaning and an example that may be asked for.

import { LAMP_NUMBERS } from "../bwts/tags.ts";

/** The things that `{id}` names, each with the API's list that contains them. */
const IDS = [
  { thing: "operation", list: "/api/operations", type: "integer", example: 12 },
  {
    thing: "alert",
    list: "/api/alarms",
    below: "/admin/alarms",
    type: "string",
    example: "own-17",
  },
  { thing: "message", list: "/admin/quarantine", type: "integer", example: 7 },
];

/** The parameters of a route's path, in the order of this list. */
export function pathParameters(path: string) {
  const ids = IDS.filter(({ list, below = list }) => path.startsWith(`${below}/`));
  const known = [
    {
      name: "nn",
      description: "the lamp's number",
      schema: { type: "string", enum: LAMP_NUMBERS },
    },
    ...ids.map(({ thing, list, type, example }) => ({
      name: "id",
      description: `the ${thing}'s id in ${list}`,
      schema: { type, examples: [example] },
    })),
  ];
  return known
    .filter(({ name }) => path.includes(`{${name}}`))
    .map((parameter) => ({ ...parameter, in: "path" as const, required: true }));
}
