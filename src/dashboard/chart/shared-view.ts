// The stretch and the cursor that the charts of a page share: when one is panned, the others follow
// at once. The page is called when the gesture has come to rest, and asks for finer data then, so
// that nothing is redrawn from new data under a finger.

import type { AxisPlace, AxisView, NextValue } from "./curve.ts";

export interface SharedView {
  readonly view: () => AxisView;
  readonly cursor: () => AxisPlace | null;
  /** Shows a stretch now; the page is called after REST_MS. */
  readonly show: (view: AxisView) => void;
  readonly point: (cursor: AxisPlace | null) => void;
  /** Moves the cursor by `CURSOR`, or over a gap to the next value of a curve. */
  readonly step: (direction: 1 | -1) => void;
  /** Adds a curve's values as targets of `step`; returns a function that removes them. */
  readonly offer: (values: NextValue) => () => void;
  /** Shows the stretch that the page wants, without calling the page. */
  readonly follow: (view: AxisView) => void;
  /** Calls the page no more: it was left, or shows another view. */
  readonly end: () => void;
  /** Calls `listener` after each change; returns a function that ends this. */
  readonly listen: (listener: () => void) => () => void;
}

/** Share of the stretch that a key moves the cursor by. */
const CURSOR = 0.01;

/** Time after the last wheel or key event from which a gesture is at rest. */
const REST_MS = 250;

/** Opens a shared view. `latest` gives the end of what can be shown: nothing lies in the future. */
export function sharedView(
  start: AxisView,
  onRest: (view: AxisView) => void,
  latest: () => AxisPlace = () => Number.POSITIVE_INFINITY,
): SharedView {
  let view = start;
  let cursor: AxisPlace | null = null;
  let timer = 0;
  let told: AxisView | null = null;
  const listeners = new Set<() => void>();
  const curves = new Set<NextValue>();
  const tell = eachFrame(() => {
    for (const listener of listeners) listener();
  });
  return {
    view: () => view,
    cursor: () => cursor,
    show(wanted) {
      view = upTo(wanted, Math.max(latest(), view.to));
      tell();
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        timer = 0;
        told = view;
        onRest(view);
      }, REST_MS);
    },
    point(wanted) {
      cursor = wanted;
      tell();
    },
    step(direction) {
      const { from, to } = view;
      const by = direction * (to - from) * CURSOR;
      const at = Math.min(to, Math.max(from, (cursor ?? (direction < 0 ? to : from)) + by));
      const places = [...curves]
        .map((next) => next(at, direction))
        .filter((place) => place !== null && place >= from && place <= to);
      const nearest = places.sort((one, other) => direction * (Number(one) - Number(other)))[0];
      cursor = nearest ?? at;
      tell();
    },
    offer(values) {
      curves.add(values);
      return () => {
        curves.delete(values);
      };
    },
    follow(wanted) {
      // The page repeats an earlier stretch while the gesture has gone on.
      if (timer !== 0 && told !== null && isSame(told, wanted)) return;
      window.clearTimeout(timer);
      timer = 0;
      view = wanted;
      tell();
    },
    end() {
      window.clearTimeout(timer);
      timer = 0;
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Makes a function that runs `draw` at most once a frame, however often the pointer moves. */
function eachFrame(draw: () => void): () => void {
  let frame = 0;
  return () => {
    if (frame !== 0) return;
    frame = window.requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  };
}

/** The stretch, moved back if it ends after `latest`. */
function upTo({ from, to }: AxisView, latest: AxisPlace): AxisView {
  const beyond = Math.max(0, to - latest);
  return { from: from - beyond, to: to - beyond };
}

function isSame(one: AxisView, other: AxisView): boolean {
  const least = (one.to - one.from) * 1e-6;
  return Math.abs(one.from - other.from) <= least && Math.abs(one.to - other.to) <= least;
}

/** A stretch moved by a share of its length. */
export function panned({ from, to }: AxisView, share: number): AxisView {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

/** A stretch `factor` times as long, in which `fixed` stays where it is. */
export function zoomed(
  { from, to }: AxisView,
  { factor, fixed, shortest }: { factor: number; fixed: AxisPlace; shortest: number },
): AxisView {
  const within = Math.max(factor, shortest / (to - from));
  return { from: fixed - (fixed - from) * within, to: fixed + (to - fixed) * within };
}
