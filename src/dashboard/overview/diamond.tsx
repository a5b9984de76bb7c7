// The sixteen lamps as they are placed in the reactor, a diamond of seven rows: number, output,
// hours, and a shape for what needs attention. Below are the lamps to change next, or the hours and
// the forecast of the lamp that was touched.

import { useState } from "preact/hooks";
import { REACTOR_ROWS } from "../../bwts/lamps/reactor.ts";
import { overviewWords as t } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { LampShape } from "../parts/icon.tsx";
import { Later } from "../parts/later.tsx";
import { printLamp, printNumber } from "../parts/numbers.ts";
import type { ShownLamp, ShownLamps } from "../store/overview-shapes.ts";
import { ChangeNext } from "./change-next.tsx";

const loadLampDetails = () => import("./lamp-about.tsx");

export function Diamond({ shown }: { shown: ShownLamps }) {
  const { lamps } = shown;
  const [chosen, choose] = useState<number | null>(null);
  const lamp = lamps.find((one) => one.lamp === chosen) ?? null;
  let next = 0;
  return (
    <>
      <div class="diamond">
        {REACTOR_ROWS.map((count, row) => {
          const from = next;
          next += count;
          return (
            <div key={row} class="row">
              {lamps.slice(from, next).map((one) => (
                <LampButton
                  key={one.lamp}
                  lamp={one}
                  isChosen={one.lamp === chosen}
                  choose={() => choose(one.lamp === chosen ? null : one.lamp)}
                />
              ))}
            </div>
          );
        })}
      </div>
      <div class="lamp-about" aria-live="polite" data-test="lamp-about">
        {lamp === null ? (
          <ChangeNext shown={shown} />
        ) : (
          <Later
            load={loadLampDetails}
            draw={({ LampDetails }) => <LampDetails lamp={lamp} close={() => choose(null)} />}
          />
        )}
      </div>
    </>
  );
}

interface LampButtonProps {
  readonly lamp: ShownLamp;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function LampButton({ lamp, isChosen, choose }: LampButtonProps) {
  const { state, efficiency, runtime_h } = lamp;
  const number = printLamp(lamp.lamp);
  const word = wordFor(lamp);
  return (
    <button
      type="button"
      class={word === state ? `lamp ${state}` : `lamp ${state} ${word}`}
      aria-pressed={isChosen}
      onClick={choose}
      title={`${t("lamp_name", { number })}: ${t(`lamp_${word}`)}`}
      data-test={`lamp-${number}`}
    >
      <span class="number">
        <LampShape word={word} />
        {number}
      </span>
      <b class="efficiency">
        {efficiency === null ? "—" : printNumber(Math.round(efficiency))}
        <small> %</small>
      </b>
      <Bar percent={efficiency} />
      <span class="hours">
        {runtime_h === null ? "—" : `${printNumber(Math.round(runtime_h))} h`}
      </span>
      <span class="unseen">{t(`lamp_${word}`)}</span>
    </button>
  );
}

/** The lamp's state, or its more urgent condition unless it has failed. */
function wordFor({ state, condition, no_light_since_ms }: ShownLamp) {
  if (state === "active" && condition === "unknown" && no_light_since_ms !== null) return "unknown";
  const isAged = condition === "past_life" || condition === "near_end";
  return isAged && state !== "failed" ? condition : state;
}
