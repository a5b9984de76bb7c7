// Lines of readings and their Merkle tree: the root of a segment is made of what an export writes,
// and the tree is that of RFC 6962.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonWriter } from "../../../src/codec/json-writer.ts";
import { lineWriter } from "../../../src/codec/line.ts";
import { LEAF, rootOf, sha256 } from "../../../src/codec/merkle.ts";
import { encodeSegment } from "../../../src/codec/segment.ts";
import { openSegment } from "../../../src/codec/segment-reader.ts";
import { COLUMNS, ndjsonLine } from "../../../src/sqlite/exchange/export-columns.ts";
import { sized } from "../../rig/scale.ts";
import { anyReadings } from "../../rig/segment-readings.ts";

const SEED = 20_260_101;

describe(`lines (seed ${SEED})`, () => {
  test("of any segment are those of the export, in the order of RFC 8785", () => {
    fc.assert(
      fc.property(anyReadings(12), (readings) => {
        const segment = openSegment(encodeSegment(readings));
        const out = new JsonWriter(64);
        const write = lineWriter(segment);
        for (const [row, reading] of readings.entries()) {
          out.clear();
          write(row, out);
          const line = out.written.toString("utf8");
          expect(`${line}\n`).toBe(ndjsonLine(reading, COLUMNS));
          const names = Object.keys(JSON.parse(line)).filter((name) => !/^\d+$/.test(name));
          expect(names).toEqual([...names].sort());
          expect(Object.values(JSON.parse(line))).not.toContain(null);
        }
      }),
      { seed: SEED, numRuns: sized(50, 150) },
    );
  });

  // The leaves and roots of the reference implementation of RFC 6962.
  test.each([
    [1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    [2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    [3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"],
    [4, "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"],
    [5, "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"],
    [6, "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"],
    [7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"],
    [8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
  ])("%i leaves have the root of RFC 6962's vectors", (count, root) => {
    const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
      .concat("606162636465666768696a6b6c6d6e6f")
      .slice(0, count)
      .map((hex) => sha256(Buffer.concat([Buffer.of(LEAF), Buffer.from(hex, "hex")])));
    expect(rootOf(Buffer.concat(leaves), count).toString("hex")).toBe(root);
  });
});
