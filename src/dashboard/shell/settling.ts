// The page that is opened first is shown when its answers are there, so that nothing on it moves
// while it is read. A slow ballastd is waited for no longer than a second and a half.

import { useLayoutEffect, useRef } from "preact/hooks";
import { hasFirstAnswers, onFirstAnswers } from "../store/first-answers.ts";
import type { Snapshot } from "../store/snapshot.ts";

const SETTLING_MAX_MS = 1_500;

/** `isDrawn` is true once the script of the page has come. */
export function useSettling(snapshot: Snapshot, isDrawn: boolean, waitsForAnswers: boolean): void {
  const isOver = useRef(false);
  const { readiness, overview, alarms } = snapshot;
  const isKnown = [readiness, overview, alarms].every(
    ({ known, problem }) => known !== null || problem !== null,
  );
  const end = () => {
    isOver.current = true;
    document.body.classList.remove("settling");
  };
  useLayoutEffect(() => {
    document.body.classList.add("settling");
    const limit = window.setTimeout(end, SETTLING_MAX_MS);
    return () => {
      window.clearTimeout(limit);
      end();
    };
  }, []);
  useLayoutEffect(() => {
    if (isOver.current || !isKnown || !isDrawn) return;
    if (!waitsForAnswers) return end();
    let frame = 0;
    // An answer may lead to the next question, which is asked after the frame that draws it.
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          if (hasFirstAnswers()) end();
        });
      });
    };
    later();
    const stop = onFirstAnswers(later);
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [isKnown, isDrawn, waitsForAnswers]);
}
