// The groups of `npm run bench -- --pages`, in the order in which they are measured. A name here is
// what a reader may give after --pages.

import { curves } from "./curves.ts";
import { idle, memory, memory72 } from "./endurance.ts";
import { link } from "./link.ts";
import { live } from "./live.ts";
import { opening } from "./opening.ts";
import type { Group } from "./row.ts";
import { sizes } from "./sizes.ts";

export const GROUPS: readonly Group[] = [sizes, opening, curves, live, link, idle, memory];

/** Measured only if they are named: they take a quarter of an hour or more. */
export const LONG_GROUPS: readonly Group[] = [memory72];
