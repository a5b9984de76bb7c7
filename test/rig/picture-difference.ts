// Two pictures laid over each other: the share of points that are visibly lighter or darker in one.
// A blank page of the browser decodes them.

import type { Browser } from "playwright-core";

export interface PictureScale extends AsyncDisposable {
  /** Both are PNGs in base64; of different sizes the common part counts. */
  differing(one: string, other: string): Promise<number>;
}

export async function openPictureScale(browser: Browser): Promise<PictureScale> {
  const context = await browser.newContext();
  const page = await context.newPage();
  return {
    differing: (one, other) => page.evaluate(compare, [one, other] as const),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function compare(pictures: readonly [string, string]): Promise<number> {
  /** A step of grey, of 255, that one sees between neighbours. */
  const STEP = 48;
  const images = await Promise.all(
    pictures.map(async (picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      return image;
    }),
  );
  const width = Math.min(...images.map((image) => image.width));
  const height = Math.min(...images.map((image) => image.height));
  const [one, other] = images.map((image) => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const drawing = canvas.getContext("2d");
    drawing?.drawImage(image, 0, 0);
    return drawing?.getImageData(0, 0, width, height).data ?? [];
  });
  const grey = (of: ArrayLike<number> | undefined, at: number) =>
    0.2126 * (of?.[at] ?? 0) + 0.7152 * (of?.[at + 1] ?? 0) + 0.0722 * (of?.[at + 2] ?? 0);
  let differing = 0;
  for (let at = 0; at < width * height * 4; at += 4)
    if (Math.abs(grey(one, at) - grey(other, at)) > STEP) differing += 1;
  return differing / (width * height);
}
