// A bundle that was made to fill the office's memory.

import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { bundlePieces, openBundle } from "../../../src/codec/bundle.ts";

test("of a long head or part no more is read than its length", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const fileOf = (head: object, part: number) => {
    const statement = { kind: "link", values: [Buffer.alloc(part)] };
    return Buffer.concat([...bundlePieces(head, [statement], key)]);
  };
  let longest = 0;
  const open = (file: Buffer) =>
    openBundle((place, length) => {
      longest = Math.max(longest, length);
      return file.subarray(place, place + length);
    }, file.length);
  expect(() => open(fileOf({ certificate: "x".repeat(100_000) }, 1))).toThrow(
    /has a part of \d+ bytes, expected at most 65536/,
  );
  expect([...open(fileOf({}, 60_000_000)).statements()]).toHaveLength(1);
  expect(() => [...open(fileOf({}, 90_000_000)).statements()]).toThrow(/expected at most 83886080/);
  expect(longest).toBeLessThan(100_000);
});
