// The page Handover: what is open now, the next actions, and the changes of the last hours or since
// this browser last looked, newest first; in words, printable. Its script is loaded when it is
// first opened.

import "./handover.css";
import { shellWords, handoverWords as t } from "../lang/words.ts";
import { ChoiceInput } from "../parts/choice.tsx";
import { beginningOf, LongText } from "../parts/long-text.tsx";
import { printMoment } from "../parts/moments.ts";
import { type PageProps, page } from "../parts/page.tsx";
import { Guarded } from "../parts/panel.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import { wordParameter } from "../parts/view-parameters.ts";
import { WholeDates } from "../parts/whole-dates.tsx";
import { useNow, useSnapshot } from "../store/use-store.ts";
import { HandoverSigning } from "./handover-signing.tsx";
import { lookBefore } from "./last-look.ts";
import { NotesPanel } from "./notes-panel.tsx";
import { CODE_MAX, OpenNow } from "./open-now.tsx";
import { type ReportedChange, SECTIONS } from "./said.ts";
import { TOLD_MAX, useChanges } from "./use-changes.ts";

const SINCE = ["4", "8", "12", "looked"] as const;
const VIEW = { since: wordParameter(SINCE, "8") };

export const handoverPage = page(VIEW, Handover);

const HOUR_MS = 3_600_000;
/** The start of the range is rounded to this step, so that it doesn't change every second. */
const STEP_MS = 5 * 60_000;

function Handover({ view, change }: PageProps<typeof VIEW>) {
  const now_ms = useNow();
  const { readiness } = useSnapshot();
  const looked_ms = lookBefore(now_ms);
  const chosen = view.since === "looked" && looked_ms === null ? VIEW.since.start : view.since;
  const since_ms =
    chosen === "looked" && looked_ms !== null
      ? looked_ms
      : Math.floor((now_ms - Number(chosen) * HOUR_MS) / STEP_MS) * STEP_MS;
  const { vessel = null, system_id = null } = readiness.known?.value ?? {};
  const range = { from: printMoment(since_ms, now_ms), to: printMoment(now_ms, now_ms) };
  return (
    <div class="handover">
      <section aria-labelledby="handover" class="handover-head">
        <div>
          <h2 id="handover">{t("title")}</h2>
          <p data-test="range">
            <b>{[vessel, system_id].filter((name) => name !== null).join(", ")}</b>{" "}
            <WholeDates text={t("range", range)} />
          </p>
        </div>
        <div class="since">
          <ChoiceInput
            label={t("since")}
            chosen={chosen}
            choices={SINCE.filter((one) => one !== "looked" || looked_ms !== null).map((one) => {
              const text = one === "looked" ? t("last_look") : t("hours_ago", { n: Number(one) });
              return [one, text] as const;
            })}
            choose={(since) => change({ since })}
          />{" "}
          <button type="button" onClick={() => window.print()}>
            {t("print")}
          </button>
        </div>
      </section>
      <section class="half">
        <Guarded>
          <OpenNow now_ms={now_ms} />
        </Guarded>
      </section>
      <section class="half">
        <h3>{t("changed")}</h3>
        <Guarded>
          <Changes since_ms={since_ms} now_ms={now_ms} />
        </Guarded>
      </section>
      <HandoverSigning now_ms={now_ms} />
      <NotesPanel from_ms={since_ms} to_ms={ahead(now_ms)} of={{ from_ms: now_ms, to_ms: null }} />
    </div>
  );
}

/** End of a range that includes the present, rounded up so that it doesn't change every second. */
const ahead = (now_ms: number) => Math.ceil(now_ms / STEP_MS + 1) * STEP_MS;

function Changes({ since_ms, now_ms }: { since_ms: number; now_ms: number }) {
  const { said, problems, isAsking, isCut } = useChanges(since_ms, now_ms);
  const isWhole = !isAsking && problems.length === 0;
  return (
    <>
      {problems.map((problem) => (
        <ProblemBanner key={problem.path} problem={problem} />
      ))}
      {isAsking && (
        <p class="quiet" role="status">
          {t("asking")}
        </p>
      )}
      {isCut && <p>{t("more", { n: TOLD_MAX })}</p>}
      {isWhole && said.length === 0 && <p role="status">{t("nothing")}</p>}
      {SECTIONS.map((section) => (
        <Section key={section} title={t(section)} lines={linesOf(said, section)} />
      ))}
    </>
  );
}

function linesOf(
  said: readonly ReportedChange[],
  section: ReportedChange["section"],
): readonly ReportedChange[] {
  return said
    .filter((one) => one.section === section)
    .sort((one, other) => other.at_ms - one.at_ms);
}

/** Maximum length of a sentence in characters; ballastd's own are shorter in every language. */
const SENTENCE_MAX = 400;

function linkText(more: string): string {
  if (more === "system") return t("look_aside");
  return more === "alerts" ? shellWords("alerts") : t("look_operation");
}

function Section({ title, lines }: { title: string; lines: readonly ReportedChange[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul data-test="changed">
        {lines.map(({ at_ms, text, code, more }) => (
          <li key={`${at_ms} ${text}`}>
            <LongText text={text} max={SENTENCE_MAX} />
            {code !== undefined && (
              <>
                {" "}
                <small class="quiet">{beginningOf(code, CODE_MAX)}</small>
              </>
            )}
            {more !== undefined && (
              <>
                {" "}
                <a class="alone" href={`#/${more}`}>
                  {linkText(more)}
                </a>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
