// Numbers that follow from a lamp's readings over some time, with their evidence: the hours of a
// life, the points of its curve, and the track record, which follows from the lives that ended.

import type { ComponentChildren } from "preact";
import { indexOfLampTag, TAGS } from "../../bwts/tags.ts";
import { BucketReadings } from "../chart/bucket-readings.tsx";
import { lampsWords as t } from "../lang/words.ts";
import { Evident } from "../parts/evidence.tsx";
import { printDay } from "../parts/moments.ts";
import { MISSING } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { useAnswer, useNow } from "../store/use-store.ts";
import { type LifeSpan, type PastLife, readPastLives } from "./lamp-answers.ts";
import { lampName, printHours } from "./lamp-words.ts";

interface ReadingsNumberProps {
  readonly lamp: number;
  readonly name: string;
  readonly from_ms: number;
  /** End of the time; null: up to now. */
  readonly to_ms: number | null;
  readonly children: ComponentChildren;
}

/** A number that opens the readings from which it follows. */
export function ReadingsNumber({ lamp, name, from_ms, to_ms, children }: ReadingsNumberProps) {
  const whole = `${lampName(lamp)}, ${name}`;
  const now_ms = useNow();
  const length_ms = (to_ms ?? now_ms) - from_ms + 1;
  const field = efficiencyField(lamp);
  return (
    <Evident
      name={whole}
      at_ms={from_ms}
      of={<BucketReadings name={whole} {...{ from_ms, length_ms, field }} />}
    >
      {children}
    </Evident>
  );
}

export const efficiencyField = (lamp: number) => TAGS[indexOfLampTag(lamp - 1, "EFFICIENCY")].name;

interface RecordNumberProps {
  readonly name: string;
  /** The kind of end of the lives that the number counts; undefined for any. */
  readonly outcome?: string | undefined;
  readonly children: ComponentChildren;
}

/** A number of the track record, which opens the lives from which it follows. */
export function RecordNumber({ name, outcome, children }: RecordNumberProps) {
  const isKnown = children !== MISSING && children !== "0";
  return (
    <Evident name={name} at_ms={isKnown ? 0 : null} of={<EndedLives outcome={outcome} />}>
      {children}
    </Evident>
  );
}

function EndedLives({ outcome }: Pick<RecordNumberProps, "outcome">) {
  const { known, problem } = useAnswer("/api/lamps", readPastLives);
  const lives = known?.value.filter((life) => outcome === undefined || life.outcome === outcome);
  return (
    <>
      <ProblemBanner problem={problem} />
      <ul>
        {lives?.map((life) => (
          <li key={`${life.lamp} ${life.began_ms}`}>
            <LifeNumber life={life} lamp={life.lamp}>
              {lifeWords(life)}
            </LifeNumber>
          </li>
        ))}
      </ul>
    </>
  );
}

function lifeWords(life: PastLife): string {
  const { began_ms, ended_ms, hours, lamp } = life;
  const [from, to] = [began_ms, ended_ms].map((at) => (at === null ? MISSING : printDay(at)));
  const span = t("dates", { from, to });
  return `${lampName(lamp)}: ${span}, ${printHours(hours)}, ${outcomeWords(life)}`;
}

interface LifeNumberProps {
  readonly life: LifeSpan;
  readonly lamp: number;
  readonly children: ComponentChildren;
}

/** The hours of a life, which open the readings of that life. */
export function LifeNumber({ life, lamp, children }: LifeNumberProps) {
  const { began_ms: from_ms, ended_ms: to_ms } = life;
  return <ReadingsNumber name={t("run")} {...{ lamp, from_ms, to_ms, children }} />;
}

export function outcomeWords({ outcome }: LifeSpan): string {
  if (outcome === "failed" || outcome === "worn" || outcome === "replaced") return t(outcome);
  return outcome ?? MISSING;
}
