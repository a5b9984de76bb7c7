// The stretch and the cursor that the charts of a page share: each draws at once what another was
// panned to. The page is told when the gesture has come to rest, and asks for finer data then, so
// nothing is resampled under a finger.

import type { AxisPlace, AxisView, NextValue } from "./curve.ts";

export interface SharedView {
  readonly view: () => AxisView;
  readonly cursor: () => AxisPlace | null;
  /** Shows a stretch now; the page is told of it after a rest. */
  readonly show: (view: AxisView) => void;
  readonly point: (cursor: AxisPlace | null) => void;
  /** Moves the cursor by `CURSOR`, over a gap to the next value of a curve. */
  readonly step: (direction: 1 | -1) => void;
  /** Adds a curve's values to those that `step` goes to; the answer ends that. */
  readonly offer: (values: NextValue) => () => void;
  /** Shows what the page wants, without telling it. */
  readonly follow: (view: AxisView) => void;
  /** The page is told no more: it has gone, or shows another view. */
  readonly end: () => void;
  /** Called after each change; the answer ends that. */
  readonly listen: (listener: () => void) => () => void;
}

/** Share of the stretch that a key moves the cursor by. */
const CURSOR = 0.01;

/** A wheel or a key is at rest after so long. */
const REST_MS = 250;

/** `latest` answers the end of what can be shown: nothing is in the future. */
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
      // The page repeats what it was told, while the hand has gone on.
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

/** Runs `draw` once a frame, however many moves the pointer reports. */
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

/** The same stretch moved back if it goes on beyond `latest`. */
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
