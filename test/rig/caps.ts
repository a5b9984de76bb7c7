// Caps of the sizes of rooms and files. They hold for all; test/unit/tidy-caps.json allows one of
// them more, by name, up to a number and with the reason. So growth beyond a cap is a line of its
// commit, and what has shrunk again gives its line back.

import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { root } from "./sources.ts";

export const CAPS = { room_files: 40, room_lines: 5_500, file_lines: 300 } as const;

const why = z.string().min(20);
const Allowed = z.strictObject({
  /** By the folder in src/. */
  rooms: z.record(
    z.string(),
    z.strictObject({ files: z.int().optional(), lines: z.int().optional(), why }),
  ),
  /** By the path from the top. */
  files: z.record(z.string(), z.strictObject({ lines: z.int(), why })),
});
type AllowedSizes = z.output<typeof Allowed>;

const file = path.join(root, "test", "unit", "tidy-caps.json");
export const ALLOWED = Allowed.parse(JSON.parse(readFileSync(file, "utf8")));

/** A size: of a room's `files`, of a room's `lines`, or of a file's `lines`. */
export interface Size {
  readonly of: keyof AllowedSizes;
  readonly name: string;
  readonly unit: "files" | "lines";
  readonly size: number;
}

/** Problems: sizes beyond cap and allowance, and allowances without need. */
export function sizeProblems(
  sizes: readonly Size[],
  allowed: AllowedSizes = ALLOWED,
): readonly string[] {
  const allowances = allowancesIn(allowed);
  const limits = new Map(allowances.map((one) => [keyOf(one), one.size]));
  const large = sizes.filter((one) => one.size > capOf(one));
  const grown = large.flatMap((one) => {
    const limit = limits.get(keyOf(one)) ?? capOf(one);
    const { name, unit, size } = one;
    return size > limit ? [`${name} has ${size} ${unit}, ${limit} are allowed`] : [];
  });
  const needed = new Set(large.map(keyOf));
  const needless = allowances.filter((one) => !needed.has(keyOf(one)));
  return [
    ...grown,
    ...needless.map(({ of, name, unit }) => `tidy-caps.json: ${of} "${name}" needs no ${unit}`),
  ];
}

const keyOf = ({ of, name, unit }: Size) => `${of} ${name} ${unit}`;

function capOf({ of, unit }: Size): number {
  if (of === "files") return CAPS.file_lines;
  return unit === "files" ? CAPS.room_files : CAPS.room_lines;
}

/** The numbers in `allowed`, each as the size that it allows. */
function allowancesIn({ rooms, files }: AllowedSizes): readonly Size[] {
  const inRooms = Object.entries(rooms).flatMap(([name, { files, lines }]): readonly Size[] => [
    ...(files === undefined ? [] : [{ of: "rooms", name, unit: "files", size: files } as const]),
    ...(lines === undefined ? [] : [{ of: "rooms", name, unit: "lines", size: lines } as const]),
  ]);
  const ofFiles = Object.entries(files).map(
    ([name, { lines }]): Size => ({ of: "files", name, unit: "lines", size: lines }),
  );
  return [...inRooms, ...ofFiles];
}
