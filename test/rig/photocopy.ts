// A printed page as a photocopier leaves it: 200 dots an inch, blurred, spotted, and then black or
// white alone. Debian's pdftoppm draws the page, and its zbarimg reads the codes on the copy.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Random } from "./random.ts";

const DOTS_AN_INCH = "200";

interface Greys {
  readonly width: number;
  readonly height: number;
  readonly greys: Uint8Array;
}

/** Writes the copy of a PDF's first page, and returns its file. */
export function photocopied(pdf: string, random: Random): string {
  const page = path.join(path.dirname(pdf), `${path.basename(pdf, ".pdf")}-page`);
  execFileSync("pdftoppm", ["-gray", "-r", DOTS_AN_INCH, "-f", "1", "-singlefile", pdf, page]);
  const copy = blackAndWhite(blurred(greysIn(readFileSync(`${page}.pgm`))), random);
  const file = `${page}-copy.pgm`;
  writeFileSync(file, `P5\n${copy.width} ${copy.height}\n255\n`);
  writeFileSync(file, copy.greys, { flag: "a" });
  return file;
}

/** The text of the only code on a picture, as it was encoded. */
export function codeOn(picture: string): string {
  const args = ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", picture];
  const read = execFileSync("zbarimg", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A line's end follows each code.
  return read.replace(/\n$/, "");
}

function greysIn(file: Uint8Array): Greys {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(file.subarray(0, 64)).toString());
  if (head === null) throw new Error("no picture of 256 greys");
  return {
    ...{ width: Number(head[1]), height: Number(head[2]) },
    greys: file.subarray(head[0].length),
  };
}

/** The mean of each dot and its eight neighbours. */
function blurred({ width, height, greys }: Greys): Greys {
  const soft = new Uint8Array(greys.length).fill(255);
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      let sum = 0;
      for (const row of [y - 1, y, y + 1])
        for (const column of [x - 1, x, x + 1]) sum += greys[row * width + column];
      soft[y * width + x] = Math.round(sum / 9);
    }
  return { width, height, greys: soft };
}

/** One dot in 500 is dirt, or lost toner. */
const SPOTTED = 0.002;

function blackAndWhite({ width, height, greys }: Greys, random: Random): Greys {
  const dots = greys.map((grey) => {
    const isSpot = random.chance(SPOTTED);
    return grey < 128 === isSpot ? 255 : 0;
  });
  return { width, height, greys: dots };
}
