// The PNG with a palette that the manual's pictures are: the same points, in fewer bytes.

import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { indexed } from "../../../scripts/picture/indexed-png.ts";
import { seededRandom } from "../../rig/random.ts";

const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));
const WIDTH = 60;
const HEIGHT = 50;

/** A chunk without a checksum, which isn't looked at. */
function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

/** `points` with alpha, each row by the next of the five filters. */
function trueColour(points: readonly (readonly number[])[]): Buffer {
  const length = WIDTH * 4;
  const rows = Buffer.alloc(HEIGHT * (length + 1));
  const plain = Buffer.from(points.flat());
  for (let row = 0; row < HEIGHT; row += 1) {
    rows[row * (length + 1)] = row % 5;
    for (let column = 0; column < length; column += 1) {
      const at = row * length + column;
      const left = column < 4 ? 0 : plain[at - 4];
      const above = row === 0 ? 0 : plain[at - length];
      const corner = column < 4 || row === 0 ? 0 : plain[at - length - 4];
      const nearest = [left, above, corner]
        .map((one) => ({ one, apart: Math.abs(left + above - corner - one) }))
        .reduce((best, other) => (other.apart < best.apart ? other : best));
      const guess = [0, left, above, Math.floor((left + above) / 2), nearest.one][row % 5];
      rows[row * (length + 1) + 1 + column] = plain[at] - guess;
    }
  }
  const head = Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, 6, 0, 0, 0]);
  const parts = [
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}

/** The points of a PNG with a palette and no filters. */
function pointsOf(png: Buffer): readonly (readonly number[])[] {
  const part = (name: string) => {
    const at = png.indexOf(name, 0, "latin1");
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const [palette, rows] = [part("PLTE"), inflateSync(part("IDAT"))];
  return [...rows]
    .filter((_, at) => at % (WIDTH + 1) !== 0)
    .map((place) => [...palette.subarray(place * 3, place * 3 + 3)]);
}

test(`a picture of few colours keeps each point, whatever its filters (TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed);
  const colours = Array.from({ length: 9 }, () => [0, 1, 2].map(() => random.between(0, 255)));
  const points = Array.from({ length: WIDTH * HEIGHT }, () => colours[random.between(0, 8)]);
  const given = trueColour(points.map((point) => [...point, 255]));
  expect(pointsOf(indexed(given))).toEqual(points);
});

test(`of many colours each point gets the nearest of the most frequent (TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed);
  const points = Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
    at % 2 === 0 ? [10, 20, 30] : [0, 1, 2].map(() => random.between(0, 255)),
  );
  const made = pointsOf(indexed(trueColour(points.map((point) => [...point, 255]))));
  const palette = [...new Map(made.map((point) => [point.join(), point])).values()];
  expect(palette).toHaveLength(40);
  const apart = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, place) => sum + (value - other[place]) ** 2, 0);
  for (const [at, point] of points.entries())
    expect(apart(point, made[at])).toBe(Math.min(...palette.map((one) => apart(point, one))));
});
