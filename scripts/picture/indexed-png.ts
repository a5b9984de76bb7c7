// A screenshot as a PNG with a palette of its most frequent colours, a third of what Chromium
// writes: the manual is inside the executable. WebP would be smaller, but not every tablet of 2020
// shows it.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** With 256 a picture has a third more bytes, and looks the same. */
const COLOURS_MAX = 40;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each point, by rows. */
  readonly points: Buffer;
}

/** `png` as Chromium writes it: 8 bits a colour, with or without alpha, not interlaced. */
export function indexed(png: Buffer): Buffer {
  const { width, height, points } = decoded(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < points.length; at += 3) {
    const colour = points.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = chosen([...counts].sort((one, other) => weight(other) - weight(one)));
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let at = 0, row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1, at += 3) {
      const colour = points.readUIntBE(at, 3);
      const place = places.get(colour) ?? nearest(palette, colour);
      places.set(colour, place);
      rows[row * (width + 1) + 1 + column] = place;
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A few points of a colour tell more than many of a grey: a sign is small. */
const COLOUR_WEIGHT = 20;
const GREY_MAX = 32;

function weight([colour, count]: readonly [number, number]): number {
  return isGrey(colour) ? count : count * COLOUR_WEIGHT;
}

function isGrey(colour: number): boolean {
  const parts = [colour >> 16, (colour >> 8) & 255, colour & 255];
  return Math.max(...parts) - Math.min(...parts) <= GREY_MAX;
}

/**
 * Distance within which two colours that aren't grey are taken for one. Else the shades of a curve
 * fill the palette, and a sign or a text is drawn in one of them.
 */
const ALIKE = 24;

/** Number of points from which a colour is an area, such as the tint of a box, and no shade. */
const AREA_MIN = 1000;

/** The first of `colours`, most frequent first, without shades of those before. */
function chosen(colours: readonly (readonly [colour: number, count: number])[]): readonly number[] {
  const palette: number[] = [];
  for (const [colour, count] of colours) {
    if (palette.length === COLOURS_MAX) break;
    const near = palette[nearest(palette, colour)];
    const isShade = near !== undefined && distance(near, colour) <= ALIKE ** 2;
    if (isGrey(colour) || count >= AREA_MIN || !isShade) palette.push(colour);
  }
  return palette;
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [place, other] of palette.entries()) {
    const away = distance(colour, other);
    if (away < least) [best, least] = [place, away];
  }
  return best;
}

/** Square of the distance of two colours. */
function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function decoded(png: Buffer): Picture {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [bits, kind, , , interlace] = png.subarray(24, 29);
  if (bits !== 8 || (kind !== 2 && kind !== 6) || interlace !== 0)
    throw new Error(`a PNG of ${bits} bits and kind ${kind}: expected 8, and 2 or 6`);
  const size = kind === 2 ? 3 : 4;
  const rows = unfiltered(inflateSync(Buffer.concat(parts)), width * size, size);
  const points = Buffer.alloc(width * height * 3);
  for (let point = 0; point < width * height; point += 1)
    rows.copy(points, point * 3, point * size, point * size + 3);
  return { width, height, points };
}

/** Undoes the filter of each row (PNG, chapter 9). `size`: the bytes of a point. */
function unfiltered(filtered: Buffer, length: number, size: number): Buffer {
  const height = filtered.length / (length + 1);
  const rows = Buffer.alloc(height * length);
  for (let row = 0; row < height; row += 1) {
    const filter = filtered[row * (length + 1)];
    for (let column = 0; column < length; column += 1) {
      const at = row * length + column;
      const left = column < size ? 0 : rows[at - size];
      const above = row === 0 ? 0 : rows[at - length];
      const corner = row === 0 || column < size ? 0 : rows[at - length - size];
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      rows[at] = filtered[row * (length + 1) + 1 + column] + guess;
    }
  }
  return rows;
}

function paeth(left: number, above: number, corner: number): number {
  const sum = left + above - corner;
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(sum - one));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
