// The groups of `npm run bench -- --pages`, in the order in which they are measured. A name here is
// what a reader may give after --pages.

import { axe } from "./axe.ts";
import { curves } from "./curves.ts";
import { idle, memory, memory72 } from "./endurance.ts";
import { keyboard } from "./keyboard.ts";
import { layout } from "./layout.ts";
import { link } from "./link.ts";
import { live } from "./live.ts";
import { night } from "./night.ts";
import { opening } from "./opening.ts";
import { paper } from "./paper.ts";
import type { Group } from "./row.ts";
import { sizes } from "./sizes.ts";
import { spoilt } from "./spoilt.ts";
import { states } from "./states.ts";

const LOOKS = [layout, axe, night, states, paper, keyboard];

export const GROUPS: readonly Group[] = [
  ...[sizes, opening, curves, live, link],
  ...LOOKS,
  ...[idle, memory],
];

/** Measured only if they are named: they take a quarter of an hour or more. */
export const LONG_GROUPS: readonly Group[] = [spoilt, memory72];
