// The two frequent kinds of route: those that readers answer, and those that the main thread
// answers itself. The others are written out in the table.

import * as z from "zod";
import type { Access } from "../gate.ts";
import type { RefusalStatus } from "../refusal.ts";
import { type Route, route, type Spec } from "../route.ts";

/** No parameters. */
export const none = z.object({});

type Common = "method" | "group" | "access" | "body" | "answer" | "errors";
type Answer = { schema: z.ZodType; example: unknown; statuses?: readonly number[]; type?: string };
type Read<Q extends z.ZodObject> = Omit<Spec<Q>, Common> & {
  answer: Answer;
  errors?: readonly RefusalStatus[];
};

/** A route of interface A: GET, answered by readers, as JSON unless `answer` has another type. */
export function read<Q extends z.ZodObject>({ answer, errors = [], ...spec }: Read<Q>): Route {
  return route({
    ...spec,
    method: "GET",
    group: "monitoring",
    access: "reader",
    body: null,
    answer: { statuses: [200], type: "application/json", ...answer },
    errors: [...errors, 503],
  });
}

/** A further route: GET, without parameters, answered by the main thread. */
export function own(spec: Omit<Read<typeof none>, "query" | "errors"> & { access: Access }): Route {
  return route({
    ...spec,
    query: none,
    method: "GET",
    group: "system",
    body: null,
    answer: { statuses: [200], type: "application/json", ...spec.answer },
    errors: [],
  });
}
