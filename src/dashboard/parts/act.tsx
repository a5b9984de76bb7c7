// An act of an engineer in a component, and the line of its outcome. It asks for the token if none
// is known, and tries the act again as soon as the token was given.

import { useState } from "preact/hooks";
import { laterWords as t } from "../lang/words.ts";
import { type ActOutcome, act } from "../store/act.ts";
import type { Read } from "../store/checks.ts";
import { ProblemBanner } from "./problem.tsx";
import { RefusedRequest } from "./refused.tsx";
import { EngineerTokenForm } from "./token-form.tsx";

/** Maximum wait for an answer: the writer may first have to store other work on a slow disk. */
export const ANSWER_MAX_MS = 120_000;

interface AskedAct {
  readonly path: string;
  readonly body: ActBody;
  readonly onDone: () => void;
}

/**
 * The body to send, or a function that reads it from a form whenever it is sent: its fields may
 * have been corrected while the token was asked for.
 */
export type ActBody = object | (() => object);

export interface EngineerAct<T> {
  /** The outcome; null before the first try, and while one is in progress. */
  readonly outcome: ActOutcome<T> | null;
  readonly isBusy: boolean;
  run(path: string, body: ActBody, onDone?: () => void): void;
  retry(): void;
  /** Removes the outcome from the page. */
  forget(): void;
}

/** Reader for acts of which only the success matters. */
export const anyAnswer: Read<unknown> = (body) => ({ value: body });

export function useAct<T>(read: Read<T>, answer_max_ms = ANSWER_MAX_MS): EngineerAct<T> {
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const [outcome, setOutcome] = useState<ActOutcome<T> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (given: AskedAct) => {
    setAsked(given);
    setOutcome(null);
    setBusy(true);
    const body = typeof given.body === "function" ? given.body() : given.body;
    const said = await act(given.path, body, read, answer_max_ms);
    setBusy(false);
    setOutcome(said);
    if (said.known !== null) given.onDone();
  };
  return {
    outcome,
    isBusy,
    run: (path, body, onDone = () => {}) => void attempt({ path, body, onDone }),
    retry: () => void (asked !== null && attempt(asked)),
    forget: () => setOutcome(null),
  };
}

interface ActOutcomeProps {
  readonly act: Pick<EngineerAct<unknown>, "outcome" | "retry">;
}

/** The line of the outcome; nothing without one. */
export function ActOutcomeLine({ act: { outcome, retry } }: ActOutcomeProps) {
  if (outcome === null) return null;
  const { problem, needsToken } = outcome;
  if (needsToken) {
    return (
      <EngineerTokenForm about={t("engineer_token")} refused={problem} isAsked onGiven={retry} />
    );
  }
  switch (problem?.kind) {
    case "refused":
      return (
        <p class="problem" role="alert">
          <RefusedRequest {...problem} />
        </p>
      );
    case "silent":
      return (
        <p class="problem" role="alert">
          {t("act_silent")}
        </p>
      );
    default:
      return <ProblemBanner problem={problem ?? null} />;
  }
}
