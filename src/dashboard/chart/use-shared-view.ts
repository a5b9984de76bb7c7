// The hook by which a component follows the stretch and the cursor that the charts of a page share.
// Apart from shared-view.ts, which knows no component.

import { useChangesOf } from "../store/use-store.ts";
import type { SharedView } from "./shared-view.ts";

/** Draws the component again when the charts are panned or pointed at. */
export function useSharedView(shared: SharedView): void {
  useChangesOf(shared.listen);
}
