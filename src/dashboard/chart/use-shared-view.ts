// The hook by which a component follows the stretch and the cursor that the charts of a page share.
// It is apart from shared-view.ts, which doesn't depend on components.

import { useChangesOf } from "../store/use-store.ts";
import type { SharedView } from "./shared-view.ts";

/** Draws the component again when the charts are panned or pointed at. */
export function useSharedView(shared: SharedView): void {
  useChangesOf(shared.listen);
}
