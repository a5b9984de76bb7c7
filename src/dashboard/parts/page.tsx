// Makes a page from its parameters and the component that draws their values. Each page's script is
// loaded when it is first opened, so the list of pages knows only the type `Page`.

import type { FunctionComponent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { partsWords as t } from "../lang/words.ts";
import { WithEvidence } from "./evidence.tsx";
import { Guarded } from "./panel.tsx";
import {
  addressOf,
  type PagePlace,
  placeOf,
  readView,
  type ViewOf,
  type ViewParameters,
} from "./view.ts";

export interface PageProps<P extends ViewParameters> {
  readonly view: ViewOf<P>;
  /** Changes parts of the view, as a step that the browser's Back undoes, or without one. */
  readonly change: (part: Partial<ViewOf<P>>, history?: "step" | "none") => void;
}

/** A page, as in the list of pages. */
export interface Page {
  readonly Body: FunctionComponent<{ readonly query: string }>;
}

export function page<P extends ViewParameters>(
  parameters: P,
  View: FunctionComponent<PageProps<P>>,
): Page {
  const Body = ({ query }: { readonly query: string }) => {
    const { view, odd } = readView(parameters, query);
    const change: PageProps<P>["change"] = (part, history = "step") => {
      const address = addressOf(placeOf(window.location.hash).name, parameters, {
        ...view,
        ...part,
      });
      goTo(address, history);
    };
    return (
      <Guarded>
        {odd.length > 0 && (
          <p class="problem" role="status">
            {t("odd_parameter", { names: odd.join(", ") })}
          </p>
        )}
        <WithEvidence>
          <View view={view} change={change} />
        </WithEvidence>
      </Guarded>
    );
  };
  return { Body };
}

/**
 * Changes the address, and draws the new page at once. The browser's own event comes later: an act
 * before it would start from the old view, and undo the change.
 */
export function goTo(address: string, history: "step" | "none" = "step"): void {
  if (history === "step") window.location.hash = address;
  else window.location.replace(address);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The place that the address names; the component is drawn again when it changes. */
export function usePlace(): PagePlace {
  const [hash, setHash] = useState(window.location.hash);
  // Read in the same turn as the drawing: a change of the address in between would be missed.
  useLayoutEffect(() => {
    const read = () => setHash(window.location.hash);
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return placeOf(hash);
}
