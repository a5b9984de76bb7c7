// Sizes in messages: three digits and a unit that the configuration takes too.

import { expect, test } from "vitest";
import { printedSize } from "../../../src/ground/disk.ts";

test.each([
  [0, "0 B"],
  [16, "16 B"],
  [1023, "1023 B"],
  [1024, "1 KiB"],
  [64 * 1024 ** 2, "64 MiB"],
  [2 * 1024 ** 3, "2 GiB"],
  [2 * 1024 ** 3 - 1, "2 GiB"],
  [1.95 * 1024 ** 3, "1.95 GiB"],
  [77_022_429_184, "71.7 GiB"],
  [1023.4 * 1024 ** 2, "1023 MiB"],
  [3 * 1024 ** 5, "3072 TiB"],
])("%d bytes are printed as %s", (bytes, text) => {
  expect(printedSize(bytes)).toBe(text);
});
