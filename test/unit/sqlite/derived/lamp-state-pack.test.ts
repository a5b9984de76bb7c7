import { expect, test } from "vitest";
import { type LifeBin, newLife } from "../../../../src/bwts/lamps/life.ts";
import { newState } from "../../../../src/bwts/lamps/state.ts";
import { createRandom } from "../../../../src/simulator/random.ts";
import { packState, unpackState } from "../../../../src/sqlite/derived/lamp-state-pack.ts";

function stateWith(bins: readonly LifeBin[]) {
  const state = newState();
  const life = newLife(1_700_000_000_000, {
    began: "first_seen",
    hours: 12.5,
    counter_base_h: null,
    position: 3,
  });
  life.bins.push(...bins);
  state.positions[3].lives.push(life);
  return state;
}

test("a state without any lamp comes back as it was", () => {
  expect(unpackState(packState(newState()))).toStrictEqual(newState());
});

test("bins come back to the bit, decimals or not", () => {
  const state = stateWith([
    { bin: 0, hours: 8.7, efficiency: 99.95 },
    { bin: 1, hours: 18.7, efficiency: 100 / 3 },
    { bin: 7, hours: 0.1 + 0.2, efficiency: -3.5 },
    { bin: 8, hours: 1e15, efficiency: 0 },
  ]);
  expect(unpackState(packState(state))).toStrictEqual(state);
});

test("a lamp's bins take two bytes each at most", () => {
  const random = createRandom(20_261_121);
  const bins = Array.from({ length: 2000 }, (_, bin) => ({
    bin,
    hours: (870 + bin * 1000) / 100,
    efficiency: Math.round((100 - bin / 100 + random.unit("noise", bin) / 2) * 10) / 10,
  }));
  const state = stateWith(bins);
  const packed = packState(state);
  expect(unpackState(packed)).toStrictEqual(state);
  expect(packed.length).toBeLessThan(2 * bins.length + 1000);
});
