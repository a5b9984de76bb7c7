// Caps of rooms and files: growth beyond one needs its line in tidy-caps.json, and no line stays
// that isn't needed.

import { expect, test } from "vitest";
import { CAPS, type Size, sizeProblems } from "../../rig/caps.ts";

const room = (size: number): Size => ({ of: "rooms", name: "mqtt", unit: "lines", size });
const file = (size: number): Size => ({ of: "files", name: "src/a.ts", unit: "lines", size });
const nothing = { rooms: {}, files: {} };
const why = "one idea, which no cut makes clearer";

test("what is within its cap needs no line", () => {
  const sizes = [room(CAPS.room_lines), file(CAPS.file_lines)];
  expect(sizeProblems(sizes, nothing)).toEqual([]);
});

test("growth beyond a cap without a line fails, by the name of what has grown", () => {
  const sizes = [room(CAPS.room_lines + 1), file(CAPS.file_lines + 1)];
  expect(sizeProblems(sizes, nothing)).toEqual([
    "mqtt has 5501 lines, 5500 are allowed",
    "src/a.ts has 301 lines, 300 are allowed",
  ]);
});

test("a line allows as much as it says, and no more", () => {
  const allowed = {
    rooms: { mqtt: { lines: 5600, why } },
    files: { "src/a.ts": { lines: 320, why } },
  };
  expect(sizeProblems([room(5600), file(320)], allowed)).toEqual([]);
  expect(sizeProblems([room(5601), file(321)], allowed)).toHaveLength(2);
});

test("a line that isn't needed any more has to go", () => {
  const allowed = { rooms: { mqtt: { files: 44, lines: 5600, why } }, files: {} };
  expect(sizeProblems([room(5400)], allowed)).toEqual([
    'tidy-caps.json: rooms "mqtt" needs no files',
    'tidy-caps.json: rooms "mqtt" needs no lines',
  ]);
});
