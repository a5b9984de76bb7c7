// Memory of a Parquet file while it is made: rows are held for a group at a time, whatever the
// file's length.

import path from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../rig/process.ts";

const WRITER = path.join(import.meta.dirname, "..", "rig", "parquet-memory.ts");
/** Seven groups; some 5 s of processor time. */
const READINGS = 100_000;
/** A group takes 96; all of them at once don't have enough of 128. */
const HEAP_MIB = 112;

test("a Parquet file of seven groups takes the memory of one", async () => {
  const args = [`--max-old-space-size=${HEAP_MIB}`, WRITER, `${READINGS}`];
  const bytes = await runProcess({ file: process.execPath, args, folder: import.meta.dirname });
  expect(Number(bytes) / READINGS).toBeLessThan(45);
});
