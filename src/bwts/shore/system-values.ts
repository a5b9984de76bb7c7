// The fields of which a report has values: the aggregated ones of the system itself, before the
// first lamp. Beside the schemas of documents, because pages take no schemas.

import { AGGREGATED, TAGS } from "../tags.ts";

/** Indices into `TAGS`. */
export const SYSTEM_VALUES = AGGREGATED.filter((index) => !TAGS[index].name.startsWith("LAMP_"));
