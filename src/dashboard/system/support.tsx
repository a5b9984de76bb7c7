// The support bundle: a button that requests it and has the browser save it. A link would be
// followed without the token.

import { useState } from "preact/hooks";
import { systemWords as t } from "../lang/words.ts";
import { ActOutcomeLine } from "../parts/act.tsx";
import type { ActOutcome } from "../store/act.ts";
import { UNKNOWN } from "../store/ask.ts";
import { parseAnswer, refusalText } from "../store/checks.ts";
import { saveBlob } from "../store/save.ts";
import { authorization } from "../store/token.ts";

const PATH = "/admin/support";
/**
 * Maximum time for the answer, ms: a busy old PC takes half a minute or more, and ballastd gives up
 * after 240 s.
 */
const ANSWER_MAX_MS = 270_000;

export function SupportPanel({ now_ms }: { now_ms: number }) {
  const [outcome, setOutcome] = useState<ActOutcome<string> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setOutcome(null);
    setBusy(true);
    setOutcome(await savedBundle(`ballastd-support-${dateOf(now_ms)}.zip`));
    setBusy(false);
  };
  const run = () => void ask();
  const file = outcome?.known?.value ?? null;
  return (
    <section aria-labelledby="support">
      <h2 id="support">{t("support")}</h2>
      <p>{t("support_about")}</p>
      <button type="button" disabled={isBusy} onClick={run}>
        {t(isBusy ? "support_making" : "support_make")}
      </button>
      <ActOutcomeLine act={{ outcome, retry: run }} />
      {file !== null && <p role="status">{t("support_saved", { file })}</p>}
    </section>
  );
}

/** A date and time for the file's name, which sorts in order of time. */
const dateOf = (now_ms: number) => new Date(now_ms).toISOString().slice(0, 16).replace(":", "");

async function savedBundle(name: string): Promise<ActOutcome<string>> {
  const asking = new AbortController();
  const limit = window.setTimeout(() => asking.abort(), ANSWER_MAX_MS);
  try {
    const headers = authorization(PATH);
    const answer = await fetch(PATH.slice(1), {
      headers,
      cache: "no-store",
      signal: asking.signal,
    });
    const { status } = answer;
    if (answer.ok) {
      saveBlob(await answer.blob(), name);
      return { known: { value: name }, problem: null, needsToken: false };
    }
    const text = refusalText(parseAnswer(await answer.text()));
    const problem = { kind: "refused", path: PATH, status, ...text } as const;
    return { known: null, problem, needsToken: status === 401 || status === 403 };
  } catch {
    const problem = { kind: "silent", path: PATH, status: null, message: null } as const;
    return { ...UNKNOWN, problem, needsToken: false };
  } finally {
    window.clearTimeout(limit);
  }
}
