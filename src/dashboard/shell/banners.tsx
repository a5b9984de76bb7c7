// Warnings that come before all else on every page: no connection to ballastd, not ready, an
// untrusted clock, and any other problem, also while it is ready.

import { shellWords as t } from "../language/en/shell.ts";
import { printSecond } from "../parts/moments.ts";
import { ProblemBanner } from "../parts/problem.tsx";
import type { Snapshot } from "../store/snapshot.ts";
import { chooseLanguage, LANGUAGES, unreadableLanguage } from "./languages.ts";

interface BannersProps {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** ballastd was updated under this page. */
  readonly isUpdated: boolean;
}

export function Banners({ snapshot, now_ms, isUpdated }: BannersProps) {
  const readiness = snapshot.readiness.known?.value ?? null;
  const unreadable = unreadableLanguage();
  return (
    <div class="banners" role="alert">
      {unreadable !== null && (
        <p class="banner warn" lang="en">
          {t.source.no_letters.replace("{name}", unreadable)}
          <button type="button" onClick={() => void chooseLanguage("en")}>
            {LANGUAGES[0].name}
          </button>
        </p>
      )}
      {isUpdated && <p class="banner warn">{t("updated")}</p>}
      {!snapshot.reached && (
        <p class="banner alarm">
          {t("lost", { moment: printSecond(snapshot.contact_ms, now_ms) })}
        </p>
      )}
      {snapshot.reached && readiness !== null && !readiness.ready && (
        <p class="banner alarm">
          {t("not_ready", { reasons: readiness.reasons.join("; ") || "—" })}
        </p>
      )}
      {warnings(snapshot).map((text) => (
        <p key={text} class="banner warn">
          {text}
        </p>
      ))}
      <ProblemBanner problem={snapshot.readiness.problem} />
    </div>
  );
}

function warnings({ reached, readiness }: Snapshot): readonly string[] {
  const known = readiness.known?.value ?? null;
  if (!reached || known === null) return [];
  const clock = known.clock_trusted === false ? [t("clock_not_trusted")] : [];
  return [...clock, ...known.problems.filter((text) => !isSaid(text, known.reasons))];
}

/** A reason against readiness already contains the problem, after another word. */
function isSaid(text: string, reasons: readonly string[]): boolean {
  const problem = text.slice(text.indexOf(": ") + 2);
  return reasons.some((reason) => reason.includes(problem));
}
