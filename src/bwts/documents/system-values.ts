// The fields that a report has values of: the system's own aggregated ones, before the first lamp.
// They are apart from the schemas of documents, because pages include no schemas.

import { AGGREGATED, TAGS } from "../tags.ts";

/** Indices into `TAGS` of these fields. */
export const SYSTEM_VALUES = AGGREGATED.filter((index) => !TAGS[index].name.startsWith("LAMP_"));
