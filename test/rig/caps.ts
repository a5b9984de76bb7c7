// Caps of the sizes of rooms and files. They hold for all; test/unit/tidy-caps.json allows one of
// them more, by name, up to a number and with the reason. So growth beyond a cap is a line of its
// commit, and what has shrunk again gives its line back.

import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { root } from "./sources.ts";

export const CAPS = { room_files: 26, room_lines: 3_500, file_lines: 300 } as const;

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
  const grown = sizes.flatMap(({ of, name, unit, size }) => {
    const limit = allowedFor({ of, name, unit }, allowed) ?? capOf({ of, unit });
    return size > limit ? [`${name} has ${size} ${unit}, ${limit} are allowed`] : [];
  });
  const needless = named(allowed).filter((entry) => {
    const found = sizes.find(({ of, name, unit }) => isSame(entry, { of, name, unit }));
    return found === undefined || found.size <= capOf(entry);
  });
  return [
    ...grown,
    ...needless.map(({ of, name, unit }) => `tidy-caps.json: ${of} "${name}" needs no ${unit}`),
  ];
}

type SizeName = Pick<Size, "of" | "name" | "unit">;

function capOf({ of, unit }: Pick<Size, "of" | "unit">): number {
  if (of === "files") return CAPS.file_lines;
  return unit === "files" ? CAPS.room_files : CAPS.room_lines;
}

function allowedFor({ of, name, unit }: SizeName, allowed: AllowedSizes): number | undefined {
  if (of === "rooms") return allowed.rooms[name]?.[unit];
  return allowed.files[name]?.lines;
}

/** The sizes that have a number in `allowed`. */
function named(allowed: AllowedSizes): readonly SizeName[] {
  return [
    ...Object.entries(allowed.rooms).flatMap(([name, entry]) =>
      (["files", "lines"] as const)
        .filter((unit) => entry[unit] !== undefined)
        .map((unit): SizeName => ({ of: "rooms", name, unit })),
    ),
    ...Object.keys(allowed.files).map((name): SizeName => ({ of: "files", name, unit: "lines" })),
  ];
}

const isSame = (one: SizeName, other: SizeName) =>
  one.of === other.of && one.name === other.name && one.unit === other.unit;
