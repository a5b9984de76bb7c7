// The screen of the panel: whether it was touched lately, its shift by some pixels every ten
// minutes against burn-in, and the lock that keeps it awake if the browser allows it.

import { useEffect, useState } from "preact/hooks";

/** Time without a touch after which the rail, the foot and the choices disappear. */
const BARE_MS = 20_000;
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel"] as const;

/**
 * True for 20 s after a touch or a key. After that the page has the class `bare`, and the touch
 * that ends it has no other effect.
 */
export function useTouched(): boolean {
  const [isTouched, setTouched] = useState(true);
  useEffect(() => {
    let timer = 0;
    const show = (touched: boolean) => {
      setTouched(touched);
      document.documentElement.classList.toggle("bare", !touched);
    };
    const touch = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => show(false), BARE_MS);
      show(true);
    };
    touch();
    const { classList } = document.documentElement;
    classList.add("on-wall");
    let isWaking = false;
    const wake = () => {
      isWaking = classList.contains("bare");
    };
    const swallow = (event: Event) => {
      if (isWaking) {
        event.preventDefault();
        event.stopPropagation();
      }
      isWaking = false;
    };
    // In the capture phase, before any link or button receives the event.
    document.addEventListener("pointerdown", wake, true);
    document.addEventListener("click", swallow, true);
    for (const sign of TOUCHES) document.addEventListener(sign, touch, { passive: true });
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("pointerdown", wake, true);
      document.removeEventListener("click", swallow, true);
      for (const sign of TOUCHES) document.removeEventListener(sign, touch);
      classList.remove("on-wall", "bare");
    };
  }, []);
  return isTouched;
}

const SHIFT_MS = 10 * 60_000;
/** Offsets of the picture, in CSS pixels right and down, around the middle. */
const SHIFTS = [
  ...[
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
  ],
  ...[
    [-2, 2],
    [-2, 0],
    [-2, -2],
    [0, -2],
    [2, -2],
  ],
] as const;

export function usePixelShift(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    let place = 0;
    const timer = window.setInterval(() => {
      place = (place + 1) % SHIFTS.length;
      const [right, down] = SHIFTS[place];
      style.setProperty("--shift-x", `${right}px`);
      style.setProperty("--shift-y", `${down}px`);
    }, SHIFT_MS);
    return () => {
      window.clearInterval(timer);
      style.removeProperty("--shift-x");
      style.removeProperty("--shift-y");
    };
  }, []);
}

/**
 * Keeps the screen awake. The browser releases the lock when the page is hidden, and offers none on
 * an address without TLS.
 */
export function useWakeLock(): void {
  useEffect(() => {
    let isLeft = false;
    let held: WakeLockSentinel | null = null;
    const hold = async () => {
      const { wakeLock }: Partial<Navigator> = navigator;
      if (document.hidden || wakeLock === undefined) return;
      const given = await wakeLock.request("screen").catch(() => null);
      if (isLeft) void given?.release();
      else held = given;
    };
    const again = () => void hold();
    again();
    document.addEventListener("visibilitychange", again);
    return () => {
      isLeft = true;
      document.removeEventListener("visibilitychange", again);
      void held?.release();
    };
  }, []);
}
