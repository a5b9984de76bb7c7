// Draws a part that isn't needed for the first view. The script of these parts is loaded once the
// first view is drawn, so that a touch doesn't wait for it and a lost connection doesn't matter.

import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";

interface LaterProps<Module> {
  /** Imports the module of the part; always the same function. */
  readonly load: () => Promise<Module>;
  readonly draw: (loaded: Module) => ComponentChild;
}

/** The result of `draw`; nothing until the module is loaded. */
export function Later<Module>({ load, draw }: LaterProps<Module>) {
  const [loaded, setLoaded] = useState<Module | null>(null);
  useEffect(() => {
    // A failure is ignored: the page's banner reports a missing answer.
    load().then(setLoaded, () => {});
  }, [load]);
  return <>{loaded !== null && draw(loaded)}</>;
}
