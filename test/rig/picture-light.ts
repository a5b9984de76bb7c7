// The light of a picture: how bright it is in the mean and at its brightest, as WCAG reckons
// luminance, white being 1. A blank page of the browser decodes it.

import type { Browser } from "playwright-core";

export interface Light {
  readonly mean: number;
  readonly brightest: number;
  /** Pixels that are red and nothing else. */
  readonly red: number;
}

export interface LightMeter extends AsyncDisposable {
  /** `picture` is a PNG in base64. */
  read(picture: string): Promise<Light>;
}

export async function openLightMeter(browser: Browser): Promise<LightMeter> {
  const context = await browser.newContext();
  const page = await context.newPage();
  return {
    read: (picture) => page.evaluate(measure, picture),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function measure(picture: string): Promise<Light> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const drawing = canvas.getContext("2d");
  drawing?.drawImage(image, 0, 0);
  const pixels = drawing?.getImageData(0, 0, image.width, image.height).data ?? [];
  const linear = Float64Array.from({ length: 256 }, (_, value) =>
    value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  let [sum, brightest, red] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [r = 0, g = 0, b = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    const light = 0.2126 * (linear[r] ?? 0) + 0.7152 * (linear[g] ?? 0) + 0.0722 * (linear[b] ?? 0);
    sum += light;
    if (light > brightest) brightest = light;
    if (r > 128 && r > 3 * g && r > 3 * b) red += 1;
  }
  return { mean: sum / (pixels.length / 4), brightest, red };
}
