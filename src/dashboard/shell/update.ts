// A page left open during an update of ballastd would read the new answers by the old rules, and
// the scripts of its further pages are gone. So it loads again, but never while somebody types.

import { useEffect, useState } from "preact/hooks";
import { isTyping } from "../parts/keys.ts";
import type { Snapshot } from "../store/snapshot.ts";

/** After the last key in a field, so long is a text taken to be unfinished. */
const TYPED_MS = 60_000;
const LOOK_MS = 1_000;

/** True from the update until the page loads again, while somebody types. */
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

/** True while a field has the focus, or a text was typed lately and hasn't been sent. */
function isBusy(): boolean {
  if (isTyping(document.activeElement)) return true;
  const isUnsent = field?.isConnected === true && field.value !== "";
  return isUnsent && performance.now() - typed_ms < TYPED_MS;
}
