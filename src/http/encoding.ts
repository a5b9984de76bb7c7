// Content codings: which one a client gets, and at which level. Of equal weights the order of
// ENCODERS decides, not the client's: a browser names gzip first and zstd last. Accept-Encoding is
// read by RFC 9110, section 12.5.3; where by it nothing at all is acceptable the bytes go plain, as
// the RFC allows.

import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";

export interface Encoder {
  /** As Content-Encoding has it. */
  readonly name: string;
  readonly whole: (bytes: Uint8Array) => Promise<Buffer>;
  readonly stream: () => Transform;
}

// Levels by their processor time for 1 MB of a day's raw readings, and what it comes to (on 2 busy
// cores): zstd 1.4 ms, 78 kB (3: 1.9 ms, 80 kB); br 3.7 ms, 92 kB (4: 7.1 ms, 80 kB; 11: 50 times
// as long); gzip 3.2 ms, 135 kB (4: 6.1 ms, 110 kB).
// Windows of 256 KiB: the default ones take 4 to 8 MB for each answer that is under way. Of a
// reader's chunk of 128 KiB most comes to less than 32 KiB: one turn in the thread pool.
const chunkSize = 32 * 1024;
const gzipOptions = { chunkSize, level: 1 };
const brotliOptions = {
  chunkSize,
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 },
};
const zstdOptions = {
  chunkSize,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 18 },
};

/** Best first. */
const ENCODERS: readonly Encoder[] = [
  encoder("zstd", promisify(zstdCompress), createZstdCompress, zstdOptions),
  encoder("br", promisify(brotliCompress), createBrotliCompress, brotliOptions),
  encoder("gzip", promisify(gzip), createGzip, gzipOptions),
];

const COMPRESSIBLE = /^(text\/|application\/(json|x-ndjson|javascript|manifest)|image\/svg)/;

/**
 * Smaller answers go as they are. To compress one takes 0.1 ms of a processor or more, however
 * small it is; below this size it saves at most 1.2 kB, which a LAN of 100 Mbit/s carries in that
 * time.
 */
export const SMALL_BYTES = 2048;

/** The coding of an answer of `type` and `bytes` for this Accept-Encoding; null: as it is. */
export function encoderFor(
  accepted: string | undefined,
  { type, bytes }: { readonly type: string; readonly bytes: number },
): Encoder | null {
  if (accepted === undefined) return null;
  const weights = weightsIn(accepted);
  const rest = weights.get("*");
  const plain = weights.get("identity") ?? rest ?? null;
  const isWorthIt = bytes >= SMALL_BYTES && COMPRESSIBLE.test(type);
  if (!isWorthIt && plain !== 0) return null;
  let best: Encoder | null = null;
  // Named, identity is as good as its weight; unnamed it comes last.
  let weight = plain ?? 0;
  for (const encoder of ENCODERS) {
    const own = weights.get(encoder.name) ?? rest ?? 0;
    if (own === 0 || own < weight || (best !== null && own === weight)) continue;
    best = encoder;
    weight = own;
  }
  return best;
}

const WEIGHT = /^q=(0(?:\.\d*)?|1(?:\.0*)?)$/;

/** Weights by the name of the coding; one whose weight can't be read is unwanted. */
function weightsIn(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name, ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q")) ?? "q=1";
    weights.set(name, Number(WEIGHT.exec(weight)?.[1] ?? 0));
  }
  return weights;
}

function encoder<Options>(
  name: string,
  compress: (bytes: Uint8Array, options: Options) => Promise<Buffer>,
  create: (options: Options) => Transform,
  options: Options,
): Encoder {
  return { name, whole: (bytes) => compress(bytes, options), stream: () => create(options) };
}
