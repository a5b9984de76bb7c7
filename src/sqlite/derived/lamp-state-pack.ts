// The tracker's state as bytes. Nearly all of it is the bins of lamps, thousands of them, kept for
// every month: as JSON objects they took more space than the buckets of all readings. A life's bins
// are therefore three columns of differences, a byte or less each once compressed.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { LampLife, LifeBin } from "../../bwts/lamps/life.ts";
import type { PositionState, TrackerState } from "../../bwts/lamps/state.ts";
import { SCALE_MAX, scaledOf, unscaled } from "../../codec/decimal.ts";

/** Numbers of one decimal as differences from the one before; any others unchanged. */
type Column =
  | { readonly scale: number; readonly steps: readonly number[] }
  | { readonly values: readonly number[] };

type PackedLife = Omit<LampLife, "bins"> & {
  readonly bins: { readonly [Field in keyof LifeBin]: Column };
};
type PackedPosition = Omit<PositionState, "lives"> & { readonly lives: readonly PackedLife[] };
type Packed = Omit<TrackerState, "positions"> & { readonly positions: readonly PackedPosition[] };

/** Packs a state for `unpackState`. */
export function packState(state: TrackerState): Uint8Array {
  const packed: Packed = {
    ...state,
    positions: state.positions.map((position) => ({
      ...position,
      lives: position.lives.map((life) => ({ ...life, bins: packBins(life.bins) })),
    })),
  };
  return zstdCompressSync(JSON.stringify(packed));
}

/** Restores the packed state exactly. */
export function unpackState(bytes: Uint8Array): TrackerState {
  const packed: Packed = JSON.parse(zstdDecompressSync(bytes).toString());
  return {
    ...packed,
    positions: packed.positions.map((position) => ({
      ...position,
      lives: position.lives.map((life) => ({ ...life, bins: unpackBins(life.bins) })),
    })),
  };
}

function packBins(bins: readonly LifeBin[]): PackedLife["bins"] {
  return {
    bin: packColumn(bins.map(({ bin }) => bin)),
    hours: packColumn(bins.map(({ hours }) => hours)),
    efficiency: packColumn(bins.map(({ efficiency }) => efficiency)),
  };
}

function unpackBins({ bin, hours, efficiency }: PackedLife["bins"]): LifeBin[] {
  const [bins, atHours, efficiencies] = [bin, hours, efficiency].map(unpackColumn);
  return bins.map((number, at) => ({
    bin: number,
    hours: atHours[at],
    efficiency: efficiencies[at],
  }));
}

function packColumn(values: readonly number[]): Column {
  for (let scale = 0; scale <= SCALE_MAX; scale += 1) {
    const scaled = values.map((value) => scaledOf(value, scale, false)).filter((v) => v !== null);
    if (scaled.length === values.length)
      return { scale, steps: scaled.map((value, at) => value - (scaled[at - 1] ?? 0)) };
  }
  return { values };
}

function unpackColumn(column: Column): readonly number[] {
  if ("values" in column) return column.values;
  const { scale, steps } = column;
  let scaled = 0;
  return steps.map((step) => {
    scaled += step;
    return unscaled(scaled, { scale, single: false });
  });
}
