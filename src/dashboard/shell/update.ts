// Reloads a page that was open during an update of ballastd: it would read new answers by old
// rules, and the scripts of its other pages are gone. It never reloads while somebody types.

import { useEffect, useState } from "preact/hooks";
import { isTyping } from "../parts/keys.ts";
import type { Snapshot } from "../store/snapshot.ts";

/** Idle time after the last keystroke before a reload is allowed. */
const TYPED_MS = 60_000;
const LOOK_MS = 1_000;

/** True from the update until the page reloads, which may wait for a user who types. */
export function useReloadAfterUpdate({ version }: Snapshot): boolean {
  const [first, setFirst] = useState<string | null>(null);
  const now = version.known === null ? null : JSON.stringify(version.known.value);
  const isUpdated = first !== null && now !== null && now !== first;
  useEffect(() => {
    if (first === null && now !== null) setFirst(now);
  }, [first, now]);
  useEffect(() => {
    if (!isUpdated) return;
    const look = () => {
      if (!isBusy()) window.location.reload();
    };
    look();
    const timer = window.setInterval(look, LOOK_MS);
    return () => window.clearInterval(timer);
  }, [isUpdated]);
  return isUpdated;
}

let typed_ms = Number.NEGATIVE_INFINITY;
let field: HTMLInputElement | HTMLTextAreaElement | null = null;
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  field = target;
  typed_ms = performance.now();
});

/** True while a field has the focus, or a recently typed text hasn't been sent. */
function isBusy(): boolean {
  if (isTyping(document.activeElement)) return true;
  const isUnsent = field?.isConnected === true && field.value !== "";
  return isUnsent && performance.now() - typed_ms < TYPED_MS;
}
