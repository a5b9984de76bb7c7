// The page of parts, `#/parts`, for developers of pages: each part in each of its states, under its
// name in the code. Only the search leads to it, and its script is loaded for it alone.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { LimitChart } from "../chart/limit-chart.tsx";
import { type CurveLine, SmallCurve } from "../chart/small-curve.tsx";
import { shellWords } from "../lang/words.ts";
import { Bar } from "../parts/bar.tsx";
import { ChoiceInput } from "../parts/choice.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { LampShape } from "../parts/icon.tsx";
import { LongText } from "../parts/long-text.tsx";
import { VerdictSign } from "../parts/operation-words.tsx";
import { page } from "../parts/page.tsx";
import { Panel } from "../parts/panel.tsx";
import { Popover } from "../parts/popover.tsx";
import { DayInput, MinuteInput, MomentInput } from "../parts/time-fields.tsx";
import { SIGNS, type SignWord } from "../parts/verdict-shapes.ts";
import type { PagePart } from "../store/ask.ts";
import { useNow } from "../store/use-store.ts";
import { PriorityShape } from "../watch/alert-icon.tsx";

export const partsPage = page({}, Parts);

const LAMP_WORDS = ["failed", "past_life", "near_end", "standby", "unknown"] as const;
const PRIORITIES = ["alarm", "warning", "caution"] as const;
const TABLE = [
  ["A", 656, "within_limits"],
  ["B", null, "cannot_tell"],
  ["C", 240, "outside_limits"],
] as const;
const PATH = "/api/overview";
const PANELS: Readonly<Record<string, PagePart<string>>> = {
  known: { known: { value: "656" }, problem: null },
  loading: { known: null, problem: null },
  silent: { known: null, problem: { kind: "silent", path: PATH, status: null, message: null } },
  odd: {
    known: { value: "656" },
    problem: { kind: "odd", path: PATH, status: null, message: null },
  },
};
const HOUR_MS = 3_600_000;
/** Two lines with a gap between them. */
const LINES: readonly CurveLine[] = [
  [0, 1, 2].map((hour) => [hour * HOUR_MS, 600 - 90 * hour] as const),
  [3, 4].map((hour) => [hour * HOUR_MS, 200 + 60 * hour] as const),
];
const SPAN = { from_ms: 0, to_ms: 4 * HOUR_MS };
const LIMITS = [{ value: 252, text: "IMO 252", beyond: "below" }] as const;

function Parts() {
  return (
    <>
      <h2 class="unseen">{shellWords("parts")}</h2>
      {Object.entries(PANELS).map(([name, part]) => (
        <Panel key={name} name={`panel-${name}`} title={`Panel: ${name}`} part={part} aside="aside">
          {(known) => (
            <p class="figure">
              {known} <span class="unit">W/m²</span>
            </p>
          )}
        </Panel>
      ))}
      <Shown name="pill, Bar">
        <span class="pill">pill</span> <span class="pill good">pill good</span>{" "}
        <span class="pill warn">pill warn</span>
        {[null, 0, 55, 100].map((percent) => (
          <Bar key={percent} percent={percent} marks={[45, 60]} />
        ))}
      </Shown>
      <Shown name="table">
        <Table />
      </Shown>
      <Shown name="LimitChart, SmallCurve">
        <LimitChart lines={LINES} {...SPAN} limits={LIMITS} label="LimitChart" />
        <LimitChart lines={[]} {...SPAN} limits={LIMITS} label="LimitChart: empty" />
        <SmallCurve lines={LINES} {...SPAN} level={252} />
      </Shown>
      <Shown name="FactList, LongText">
        <FactList
          facts={[
            ["known", "656"],
            ["missing", null],
          ]}
        />
        <LongText text={"long text ".repeat(40)} />
      </Shown>
      <Shown name="VerdictSign, LampShape, PriorityShape">
        <Signs />
      </Shown>
      <Shown name="form">
        <Form />
      </Shown>
    </>
  );
}

function Shown({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <section aria-label={name}>
      <h3>
        <code>{name}</code>
      </h3>
      {children}
    </section>
  );
}

function Table() {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">th</th>
          <th scope="col" class="number">
            number <small>W/m²</small>
          </th>
          <th scope="col">VerdictSign</th>
        </tr>
      </thead>
      <tbody>
        {TABLE.map(([name, value, word]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{value ?? "—"}</td>
            <td>
              <VerdictSign word={word} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const isSign = (word: string): word is SignWord => word in SIGNS;

function Signs() {
  return (
    <>
      {Object.keys(SIGNS)
        .filter(isSign)
        .map((word) => (
          <p key={word}>
            <VerdictSign word={word} />
          </p>
        ))}
      {LAMP_WORDS.map((word) => (
        <p key={word}>
          <LampShape word={word} /> <code>{word}</code>
        </p>
      ))}
      {PRIORITIES.map((priority) => (
        <p key={priority}>
          <PriorityShape priority={priority} /> <code>{priority}</code>
        </p>
      ))}
    </>
  );
}

function Form() {
  const now_ms = useNow();
  const [at_ms, setAt] = useState<number | null>(null);
  const [minute, setMinute] = useState("14:30");
  const [word, setWord] = useState("A");
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <ChoiceInput
        label="ChoiceInput"
        chosen={word}
        choices={TABLE.map(([name]) => [name, name] as const)}
        choose={setWord}
      />
      <DayInput
        label="DayInput"
        at_ms={at_ms}
        latest_ms={now_ms}
        choose={(day) => setAt(day === null ? null : Date.parse(`${day}T00:00Z`))}
      />
      <MomentInput label="MomentInput" at_ms={at_ms} latest_ms={now_ms} choose={setAt} />
      <MinuteInput
        label="MinuteInput"
        minute={minute}
        choose={(given) => given !== null && setMinute(given)}
      />
      <fieldset class="segments" aria-label="segments">
        {TABLE.map(([name]) => (
          <button
            type="button"
            key={name}
            aria-pressed={name === word}
            onClick={() => setWord(name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <Popover text="Popover ▾" side="left">
        {() => <p>popover-box</p>}
      </Popover>
      <button type="button">button</button>
      <button type="button" disabled>
        disabled
      </button>
      <button type="submit">submit</button>
    </form>
  );
}
