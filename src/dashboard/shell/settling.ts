// Hides the first page until its answers are there, so that nothing on it moves while it is read.
// It waits for a slow ballastd for at most a second and a half.

import { useLayoutEffect, useRef } from "preact/hooks";
import { hasFirstAnswers, onFirstAnswers } from "../store/first-answers.ts";
import type { Snapshot } from "../store/snapshot.ts";

const SETTLING_MAX_MS = 1_500;

/**
 * Ends hiding when the first answers are there. `isDrawn` is true once the page's script is loaded.
 */
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
    // An answer may cause another request, which is sent after the frame that draws it.
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
