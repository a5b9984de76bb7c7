// The verdict for a reader with three seconds: one sentence with mark and colour that says if water
// is treated, and within the mode's limit. Below it: what the plant does, missing facts, things to
// do, the age of the data, failed lamps. A tick means that there is nothing to do.

import { partsWords, overviewWords as t } from "../lang/words.ts";
import { printAge, printMoment } from "../parts/moments.ts";
import { isDefaultSource, printLamps } from "../parts/numbers.ts";
import type { ShownReadiness } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";
import { isOldReading, readingAge } from "../store/data-age.ts";
import type {
  ReadingTimes,
  ShownLamp,
  ShownLamps,
  ShownVerdict,
} from "../store/overview-shapes.ts";
import { agoOf, isAhead } from "./figures.tsx";

/**
 * The urgency: good (a green tick: nothing to do), held (within limits in the past, or when last
 * known), worn (only worn lamps to change), due (something to do), quiet, warn, alarm.
 */
type Tone = "good" | "held" | "worn" | "due" | "quiet" | "warn" | "alarm";

interface NowProps {
  readonly part: PagePart<ShownVerdict>;
  readonly reading: ReadingTimes | null;
  /** The moment of the past that is shown; null: now. */
  readonly at_ms: number | null;
  readonly now_ms: number;
}

interface VerdictProps extends NowProps {
  readonly lamps: PagePart<ShownLamps>;
  /** False while the link to ballastd is lost: then the last known verdict is shown. */
  readonly reached: boolean;
  /** The address at which ballastd awaits the PLC, and the ship's setup. */
  readonly ready: ShownReadiness | null;
}

/** Length of a headline, in characters, above which it has a smaller type on small screens. */
const LONG = 40;

export function Verdict(props: VerdictProps) {
  const known = shownNow(props);
  const facts = known === null ? "" : factsOf(known).join(" · ");
  const tone = known === null ? "quiet" : toneOf(known, props.reached);
  const words = known === null ? asking(props) : headline(known, props);
  return (
    <section class="glance" aria-label={t("verdict")}>
      <div class={`verdict ${tone}`} role="status" data-test="verdict" data-mark={tone}>
        <Mark tone={tone} />
        <p class={words.length > LONG ? "headline long" : "headline"}>
          {props.reached || known === null ? words : partsWords("last_known", { headline: words })}
        </p>
        <ul class="verdict-facts">
          {facts !== "" && <li data-test="facts">{facts}</li>}
          {known !== null && <li>{ageWords(props)}</li>}
          <LampFacts lamps={props.lamps} toDo={known?.toDo ?? []} />
        </ul>
        {known?.state === "no_reading" && props.at_ms === null && <Waiting ready={props.ready} />}
      </div>
    </section>
  );
}

/**
 * Before the first reading: the address at which it is awaited, and in a new installation a link to
 * First watch.
 */
function Waiting({ ready }: Pick<VerdictProps, "ready">) {
  const place = ready?.mqtt?.where ?? null;
  return (
    <>
      {place !== null && <p class="waiting">{t("waiting", { place })}</p>}
      {ready !== null && isToSetUp(ready) && (
        <p class="waiting">
          <a href="#/first-watch">{t("first_watch")}</a>
        </p>
      )}
    </>
  );
}

/** True while the ship has neither name nor number, or the certificate's limits aren't given. */
const isToSetUp = ({ vessel, imo, limits }: ShownReadiness) =>
  (vessel === null && imo === null) || isDefaultSource(limits?.source);

/** The verdict now: the reading may have become old since the answer arrived. */
export function shownNow({ part, reading, at_ms, now_ms }: NowProps): ShownVerdict | null {
  const known = part.known?.value ?? null;
  const isStale = reading !== null && at_ms === null && isOldReading(reading, now_ms);
  if (known === null || known.isOld || known.state === "quarantined" || !isStale) return known;
  const state = known.isRunning ? "silent" : "idle_silent";
  return { ...known, state, because: [], isTicked: false };
}

const asking = ({ part }: VerdictProps) => t(part.problem === null ? "asking" : "unreadable");

function toneOf({ state, isTicked, toDo }: ShownVerdict, reached: boolean): Tone {
  if (isTicked && reached) return "good";
  switch (state) {
    case "fault":
    case "untreated":
      return "alarm";
    case "within_limit":
    case "not_treating":
      if (toDo.length === 0) return state === "within_limit" ? "held" : "quiet";
      return toDo.every((one) => one === "lamps_past_life") ? "worn" : "due";
    case "no_reading":
    case "idle_silent":
      return "quiet";
    default:
      return "warn";
  }
}

function headline(verdict: ShownVerdict, { at_ms, now_ms, reading }: VerdictProps): string {
  const { state, process, mode, hiddenFor } = verdict;
  const age = reading === null ? "" : printAge(readingAge(reading, at_ms ?? now_ms));
  switch (state) {
    case "no_reading":
      return t(at_ms === null ? "no_reading" : "no_reading_then");
    case "quarantined":
      return t("quarantined");
    case "hidden":
      return t("hidden", { reason: hiddenFor ?? "" });
    case "silent":
      return t("silent", { age });
    case "idle_silent":
      return t("idle_silent", { age });
    case "ahead":
      return t("data_ahead");
    case "untreated":
      return t("untreated", { state: process ?? "" });
    case "no_flow":
      return process === null ? t("no_flow") : t("no_flow_moves", { state: process });
    case "within_limit":
      return t("treating_within", { mode: mode ?? "" });
    case "below_limit":
      return t("treating_below", { mode: mode ?? t("any_mode") });
    case "above_flow":
      return t("treating_above_flow");
    case "not_judged":
      return t("treating_not_judged");
    case "not_treating":
      return process === null ? t("no_flow") : t("not_treating", { state: process });
    case "fault":
      return t("not_treating", { state: process ?? "" });
    case "unknown":
      return process === null ? t("no_state") : t("unknown_state", { state: process });
  }
}

/**
 * The facts: the controller's state, missing facts, and things to do, except those of lamps, which
 * are shown separately.
 */
function factsOf(verdict: ShownVerdict): readonly string[] {
  const { because, toDo, modeWord } = verdict;
  return [
    ...doingWords(verdict),
    ...because.map((one) => t(`because_${one}`, { mode: modeWord ?? "" })),
    ...toDo.flatMap((one) => (isOfLamps(one) ? [] : [t(`to_do_${one}`)])),
  ];
}

/** The controller's state, if the sentence doesn't contain it. */
function doingWords({ state, process }: ShownVerdict): readonly string[] {
  switch (state) {
    case "within_limit":
    case "below_limit":
    case "above_flow":
    case "not_judged":
      return [process === null ? t("treating_by_flow") : t("controller", { state: process })];
    default:
      return [];
  }
}

type OfLamps = "lamps_failed" | "lamps_past_life" | "lamps_unknown";

const isOfLamps = (one: ShownVerdict["toDo"][number]): one is OfLamps => one.startsWith("lamps_");

function ageWords({ reading, at_ms, now_ms }: VerdictProps): string {
  if (reading === null) return t("no_age");
  if (at_ms !== null) return t("reading_of", { moment: printMoment(reading.at_ms, now_ms) });
  const age_ms = readingAge(reading, now_ms);
  if (isAhead(age_ms)) return `${t("age_reading")}: ${agoOf(age_ms)}`;
  return t("reading_age", { age: printAge(age_ms) });
}

/**
 * The facts about lamps. A failed lamp is marked by a cross, as in the diamond, and never in the
 * colour of good states.
 */
function LampFacts({ lamps, toDo }: Pick<VerdictProps, "lamps"> & Pick<ShownVerdict, "toDo">) {
  const all = lamps.known?.value.lamps ?? [];
  const pastLife = pastLifeWords(all);
  const hasFailed = all.some(({ state }) => state === "failed");
  const isDoubted = areLampsDoubted(all, toDo);
  return (
    <>
      <li class={hasFailed || isDoubted ? "lit" : ""} data-test="lamps">
        {hasFailed && (
          <svg class="cross" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 4l16 16M20 4L4 20" />
          </svg>
        )}{" "}
        {isDoubted && !hasFailed ? t("lamps_doubted") : lampWords(all)}
        {isDoubted && hasFailed && ` · ${t("lamps_doubted")}`}
      </li>
      {pastLife !== null && (
        <li class="lit" data-test="lamps-aged">
          {pastLife}
        </li>
      )}
    </>
  );
}

const numbersOf = (lamps: readonly ShownLamp[]) => ({
  n: lamps.length,
  lamps: printLamps(lamps.map(({ lamp }) => lamp)),
});

function lampWords(lamps: readonly ShownLamp[]): string {
  const failed = lamps.filter(({ state }) => state === "failed");
  if (failed.length > 0) return t("lamps_failed", numbersOf(failed));
  const unknown = lamps.filter(isUnknown).length;
  if (unknown === lamps.length) return t("lamps_unknown");
  return unknown === 0 ? t("lamps_none_failed") : t("lamps_some_unknown", { n: unknown });
}

const isUnknown = ({ state, no_light_since_ms }: ShownLamp) =>
  state === "unknown" || no_light_since_ms !== null;

/**
 * True if an alarm of the plant, or its count of failed lamps, shows more failures than the lamps'
 * own statuses.
 */
const areLampsDoubted = (lamps: readonly ShownLamp[], toDo: ShownVerdict["toDo"]) =>
  toDo.includes("lamps_unknown") && !lamps.some(isUnknown);

/**
 * The lamps past their life. Lamps near their end only need planning, and are listed beside the
 * diamond.
 */
function pastLifeWords(lamps: readonly ShownLamp[]): string | null {
  const aged = lamps.filter(({ condition }) => condition === "past_life");
  return aged.length === 0 ? null : t("lamps_past_life", numbersOf(aged));
}

/**
 * The tone as a shape, for eyes or screens that don't distinguish colours; square, circle and
 * triangle are those of the alerts' priorities.
 */
function Mark({ tone }: { tone: Tone }) {
  const shapes = {
    good: <path d="M5 12l5 5 9-10" />,
    held: <circle cx="12" cy="12" r="7" />,
    worn: <path d="M5 5h14v14H5z" />,
    due: <circle cx="12" cy="12" r="7" />,
    quiet: <path d="M6 12h12" />,
    warn: <path d="M12 5v9m0 3.500v1.500" />,
    alarm: <path d="M12 4l9 16H3zM12 10v4m0 2v1" />,
  };
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      {shapes[tone]}
    </svg>
  );
}
