// Gestures on a chart: one finger or the mouse pans, two fingers pinch, the wheel zooms with Ctrl,
// pans with Shift or sideways, and alone scrolls the page. A click holds the cursor, so that the
// mouse can go to a value, until the next click. uPlot has none of these.

import type { AxisPlace } from "./curve.ts";
import { panned, type SharedView, zoomed } from "./shared-view.ts";

interface Surface {
  readonly element: HTMLElement;
  readonly shared: SharedView;
  /** Gives the length of the shortest stretch that can be zoomed to. */
  readonly shortest: () => number;
}

const WHEEL_ZOOM = 0.0015;

/**
 * Sideways movement in pixels from which a touch pans; a finger that scrolls the page stays below
 * it until the browser takes over.
 */
const SIDEWAYS = 12;

/** Movement in pixels up to which a pressed and released mouse counts as a click. */
const CLICK = 4;

interface Finger {
  readonly start: number;
  x: number;
  /** False for a touch that may yet scroll the page. */
  free: boolean;
}

/** Listens on the drawing area; returns a function that stops it. */
export function listenToGestures({ element, shared, shortest }: Surface): () => void {
  const pointers = new Map<number, Finger>();
  let isHeld = false;
  const shareAt = (x: number) => shareOf(element, x);
  const placeAt = (x: number): AxisPlace => {
    const { from, to } = shared.view();
    return from + (to - from) * shareAt(x);
  };
  const zoom = (factor: number, x: number) => {
    const change = { factor, fixed: placeAt(x), shortest: shortest() };
    shared.show(zoomed(shared.view(), change));
  };
  const down = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    const start = event.clientX;
    pointers.set(event.pointerId, { start, x: start, free: event.pointerType !== "touch" });
    element.setPointerCapture(event.pointerId);
  };
  const pan = (finger: Finger, x: number) => {
    if (finger.free) shared.show(panned(shared.view(), shareAt(finger.x) - shareAt(x)));
    else if (Math.abs(x - finger.x) < SIDEWAYS) return;
    Object.assign(finger, { x, free: true });
  };
  const pinch = (finger: Finger, x: number, anchor: Finger) => {
    const before = Math.max(8, Math.abs(finger.x - anchor.x));
    const now = Math.max(8, Math.abs(x - anchor.x));
    zoom(before / now, anchor.x);
    Object.assign(finger, { x, free: true });
  };
  const move = (event: PointerEvent) => {
    const finger = pointers.get(event.pointerId);
    if (finger !== undefined) {
      const other = [...pointers.values()].find((one) => one !== finger);
      if (other === undefined) pan(finger, event.clientX);
      else pinch(finger, event.clientX, other);
    }
    if (finger !== undefined || !isHeld) shared.point(placeAt(event.clientX));
  };
  const up = (event: PointerEvent) => {
    const finger = pointers.get(event.pointerId);
    pointers.delete(event.pointerId);
    if (finger === undefined || event.pointerType !== "mouse") return;
    isHeld = !isHeld && Math.abs(event.clientX - finger.start) < CLICK;
    shared.point(placeAt(event.clientX));
  };
  /** Ends a touch with which the browser scrolls the page: it points at nothing here. */
  const cancel = (event: PointerEvent) => {
    up(event);
    if (pointers.size === 0) shared.point(null);
  };
  const leave = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && pointers.size === 0 && !isHeld) shared.point(null);
  };
  const wheel = (event: WheelEvent) => {
    const turned = turnOf(event);
    if (turned === null) return;
    event.preventDefault();
    if (turned.factor === null) shared.show(panned(shared.view(), turned.share));
    else zoom(turned.factor, event.clientX);
  };
  element.addEventListener("wheel", wheel, { passive: false });
  const stop = listenToPointer(element, {
    ...{ pointerdown: down, pointermove: move, pointerup: up },
    ...{ pointercancel: cancel, pointerleave: leave },
  });
  return () => {
    stop();
    element.removeEventListener("wheel", wheel);
  };
}

function shareOf(element: HTMLElement, x: number): number {
  const { left, width } = element.getBoundingClientRect();
  return width > 0 ? (x - left) / width : 0;
}

type PointerListeners = Readonly<Record<string, (event: PointerEvent) => void>>;

/** Adds the listeners; returns a function that removes them. */
function listenToPointer(element: HTMLElement, listeners: PointerListeners): () => void {
  const all = Object.entries(listeners).map(
    ([name, listener]) =>
      [name, (event: Event) => event instanceof PointerEvent && listener(event)] as const,
  );
  for (const [name, listener] of all) element.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of all) element.removeEventListener(name, listener);
  };
}

/** The factor that the wheel zooms by, or the share that it pans by; null: it scrolls the page. */
function turnOf(event: WheelEvent) {
  const { shiftKey, deltaX, deltaY } = event;
  if (event.ctrlKey || event.metaKey) return { factor: wheelFactor(event), share: 0 };
  if (shiftKey) return { factor: null, share: (deltaY || deltaX) / 800 };
  return Math.abs(deltaX) > Math.abs(deltaY) ? { factor: null, share: deltaX / 800 } : null;
}

const wheelFactor = ({ deltaY }: WheelEvent) =>
  Math.exp(Math.max(-500, Math.min(500, deltaY)) * WHEEL_ZOOM);
