// Returns to the panel from any page after five minutes without a touch, if this screen was chosen
// to be a panel; never while a field holds text that wasn't sent.

import { useEffect } from "preact/hooks";
import { goTo } from "../parts/page.tsx";
import { isOnWall } from "../store/wall.ts";
import type { PageName } from "./page-names.ts";

const IDLE_MS = 5 * 60_000;
const LOOK_MS = 5_000;
const TOUCHES = ["pointerdown", "keydown", "wheel"] as const;

export function useWallReturn(name: PageName): void {
  useEffect(() => {
    if (name === "panel") return;
    let touched_ms = performance.now();
    const touch = () => {
      touched_ms = performance.now();
    };
    for (const sign of TOUCHES) document.addEventListener(sign, touch, { passive: true });
    const timer = window.setInterval(() => {
      const isIdle = performance.now() - touched_ms >= IDLE_MS;
      if (isIdle && isOnWall() && !hasUnsentText()) goTo("#/panel");
    }, LOOK_MS);
    return () => {
      window.clearInterval(timer);
      for (const sign of TOUCHES) document.removeEventListener(sign, touch);
    };
  }, [name]);
}

/** Fields whose text would be lost. The search's isn't among them, because it is in the address. */
const TEXTS = "main textarea, main input:not([type]), main [type=text], main [type=password]";

function hasUnsentText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXTS);
  return [...fields].some(({ value, defaultValue }) => value !== "" && value !== defaultValue);
}
