// The groups of `npm run bench -- --pages`, in the order in which they are measured. A name here is
// what a reader may give after --pages.

import type { Group } from "./row.ts";
import { sizes } from "./sizes.ts";

export const GROUPS: readonly Group[] = [sizes];
