// Gestures on a chart: one finger or the mouse pans, two fingers pinch, the wheel zooms, and with
// Shift or sideways it pans. uPlot has none of these.

import type { AxisPlace } from "./curve.ts";
import { panned, type SharedView, zoomed } from "./shared-view.ts";

interface Surface {
  readonly element: HTMLElement;
  readonly shared: SharedView;
  /** The shortest stretch that can be zoomed to. */
  readonly shortest: () => number;
}

const WHEEL_ZOOM = 0.0015;

/** Listens on the drawing area; the answer ends that. */
export function listenToGestures({ element, shared, shortest }: Surface): () => void {
  const pointers = new Map<number, number>();
  const shareAt = (x: number) => {
    const { left, width } = element.getBoundingClientRect();
    return width > 0 ? (x - left) / width : 0;
  };
  const placeAt = (x: number): AxisPlace => {
    const { from, to } = shared.view();
    return from + (to - from) * shareAt(x);
  };
  const down = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    pointers.set(event.pointerId, event.clientX);
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before !== undefined) {
      const others = [...pointers].filter(([id]) => id !== event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      if (others.length === 0)
        shared.show(panned(shared.view(), shareAt(before) - shareAt(event.clientX)));
      else {
        const [[, anchor]] = others;
        const factor = Math.max(8, Math.abs(before - anchor));
        const now = Math.max(8, Math.abs(event.clientX - anchor));
        const change = { factor: factor / now, fixed: placeAt(anchor), shortest: shortest() };
        shared.show(zoomed(shared.view(), change));
      }
    }
    shared.point(placeAt(event.clientX));
  };
  const up = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
  };
  const leave = (event: PointerEvent) => {
    if (event.pointerType === "mouse" && pointers.size === 0) shared.point(null);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey)
      return shared.show(panned(shared.view(), sideways / 800));
    const factor = Math.exp(Math.max(-500, Math.min(500, event.deltaY)) * WHEEL_ZOOM);
    const fixed = placeAt(event.clientX);
    return shared.show(zoomed(shared.view(), { factor, fixed, shortest: shortest() }));
  };
  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("pointerleave", leave);
  element.addEventListener("wheel", wheel, { passive: false });
  return () => {
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", up);
    element.removeEventListener("pointerleave", leave);
    element.removeEventListener("wheel", wheel);
  };
}
