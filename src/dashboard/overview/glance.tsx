// The summary for a reader with three seconds: whether water is treated, the age of that statement,
// UV intensity against its target, failed lamps.

import { indexOfTag, LAMP_COUNT, TAGS } from "../../bwts/tags.ts";
import { Bar } from "../parts/bar.tsx";
import { printAge, printMoment } from "../parts/moments.ts";
import { printLabel, printNumber, printValue, tagNamed } from "../parts/numbers.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import { isStale } from "../parts/stale.ts";
import type { Limits, ShownReadiness, ShownReading } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { lampFigure } from "./lamps.tsx";
import {
  isBelowLimit,
  type ProcessEvents,
  type Tone,
  uvLimit,
  type Verdict,
  verdict,
} from "./verdict.ts";

export function Glance({ snapshot, now_ms }: { snapshot: Snapshot; now_ms: number }) {
  const reading = snapshot.reading.known?.value ?? null;
  const stale = reading !== null && isStale(reading, now_ms);
  const { tone, headline, detail } = statement(snapshot, now_ms);
  return (
    <section class="glance" aria-label="Now">
      <div class={`verdict ${tone}`} role="status">
        <p class="headline">
          <Mark tone={tone} /> {headline}
        </p>
        {detail !== "" && <p>{detail}</p>}
      </div>
      <ProblemBanner problem={snapshot.reading.problem} />
      {reading !== null && (
        <div class={stale ? "figures old" : "figures"}>
          <AgeFigure reading={reading} link={linkOf(snapshot.readiness)} now_ms={now_ms} />
          <IntensityFigure reading={reading} limits={limitsOf(snapshot.readiness)} />
          <LampsFigure reading={reading} />
        </div>
      )}
    </section>
  );
}

function statement(snapshot: Snapshot, now_ms: number): Verdict {
  const { known, problem } = snapshot.reading;
  if (known === null) {
    return problem === null
      ? { tone: "quiet", headline: "Asking ballastd", detail: "" }
      : { tone: "warn", headline: "Not known", detail: "The latest reading could not be read." };
  }
  if (known.value !== null) return statementOf(known.value, snapshot, now_ms);
  const where = snapshot.readiness.known?.value.mqtt?.where ?? null;
  const place = where === null ? "" : ` on ${where}`;
  return {
    tone: "quiet",
    headline: "No reading yet",
    detail: `Waiting for the PLC${place}.`,
  };
}

function statementOf(reading: ShownReading, snapshot: Snapshot, now_ms: number): Verdict {
  const limits = limitsOf(snapshot.readiness);
  const now = verdict(reading, { process: processEvents(snapshot), limits, now_ms });
  if (snapshot.reached || isStale(reading, now_ms)) return now;
  return { ...now, headline: `Last known: ${now.headline}` };
}

function processEvents({ starts, stops }: Snapshot): ProcessEvents | null {
  if (starts.known === null || stops.known === null) return null;
  return { start: starts.known.value[0] ?? null, stop: stops.known.value[0] ?? null };
}

function limitsOf(readiness: PagePart<ShownReadiness>): Limits | null {
  return readiness.known?.value.limits ?? null;
}

/** Distinguishes an idle plant from a link that is down; null if unknown. */
function linkOf(readiness: PagePart<ShownReadiness>): string | null {
  const mqtt = readiness.known?.value.mqtt ?? null;
  if (mqtt === null || mqtt.clients === null) return null;
  return mqtt.connected === false || mqtt.clients === 0 ? "No PLC link" : "PLC link up";
}

function AgeFigure(props: { reading: ShownReading; link: string | null; now_ms: number }) {
  const { reading, link, now_ms } = props;
  const age_ms = now_ms - reading.at_ms;
  const stale = isStale(reading, now_ms);
  // The box's clock and the PLC's never agree to the second.
  const ahead = age_ms < -60_000;
  return (
    <div class="figure">
      <h2>Last reading</h2>
      <p class="big" data-test="age">
        {ahead ? `${printAge(-age_ms)} ahead` : `${printAge(Math.max(0, age_ms))} ago`}
        {stale && <strong class="tag">STALE</strong>}
      </p>
      <p class="quiet">
        {ahead ? "of this clock: " : ""}
        {printMoment(reading.at_ms, now_ms)}
      </p>
      {link !== null && <p class="quiet">{link}</p>}
    </div>
  );
}

function IntensityFigure({ reading, limits }: { reading: ShownReading; limits: Limits | null }) {
  const tag = tagNamed("UVR_INTENSITY");
  const value = reading.values[indexOfTag("UVR_INTENSITY")];
  const intensity = typeof value === "number" ? value : null;
  const below = limits !== null && isBelowLimit(reading, limits);
  return (
    <div class={below ? "figure alarm" : "figure"}>
      <h2 title={tag.about}>UV intensity</h2>
      <p class="big" data-test="intensity">
        {printValue(tag, intensity)}
        {below && <strong class="tag">BELOW LIMIT</strong>}
      </p>
      {limits?.uv_target != null ? (
        <AgainstTarget reading={reading} limits={limits} target={limits.uv_target} />
      ) : (
        <Normalized reading={reading} />
      )}
    </div>
  );
}

function AgainstTarget(props: { reading: ShownReading; limits: Limits; target: number }) {
  const { reading, limits, target } = props;
  const tag = tagNamed("UVR_INTENSITY");
  const value = reading.values[indexOfTag("UVR_INTENSITY")];
  const share = typeof value === "number" && target > 0 ? (100 * value) / target : null;
  const limit = uvLimit(reading, limits);
  const mode = reading.values[indexOfTag("COMPLIANCE_MODE")];
  return (
    <>
      <Bar percent={share} mark={limit === null ? null : (100 * limit) / target} />
      <p class="quiet">
        {printNumber(share)} % of target {printValue(tag, target)}
        {limit === null ? "" : `; ${mode} limit ${printValue(tag, limit)}`}
      </p>
      <p class="quiet small">Limits: {limits.source ?? "source not stated"}</p>
    </>
  );
}

/** The plant's own value relative to its target, if ballastd's limits are unknown. */
function Normalized({ reading }: { reading: ShownReading }) {
  const index = indexOfTag("UVR_INTENSITY_NORMALIZED");
  const tag = TAGS[index];
  const value = reading.values[index];
  return (
    <>
      <Bar percent={typeof value === "number" ? value : null} mark={null} />
      <p class="quiet">
        {printLabel(tag)}: {printValue(tag, value)}
      </p>
    </>
  );
}

function LampsFigure({ reading }: { reading: ShownReading }) {
  const { failed, told } = lampFigure(reading);
  const unknown = LAMP_COUNT - told;
  return (
    <div class={failed.length > 0 ? "figure alarm" : "figure"}>
      <h2>Lamps</h2>
      <p class="big" data-test="lamps">
        {told === 0 ? "—" : failed.length === 0 ? "None failed" : `${failed.length} FAILED`}
      </p>
      <p class="quiet">
        {failed.length > 0 && `Lamp ${failed.join(", ")}. `}
        {unknown === 0
          ? `Status of all ${LAMP_COUNT} known`
          : `Status of ${unknown} of ${LAMP_COUNT} unknown`}
      </p>
    </div>
  );
}

/** The tone as a shape, for eyes or screens that don't distinguish colours. */
function Mark({ tone }: { tone: Tone }) {
  const shapes = {
    good: <path d="M5 12l5 5 9-10" />,
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
