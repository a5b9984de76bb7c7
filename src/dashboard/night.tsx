// The button that turns night mode on and off. The choice applies at once, and is remembered where
// the browser allows that.

import { useState } from "preact/hooks";
import { applyNight, storedNight, storeNight } from "./stored-night.ts";

export function NightButton() {
  const [night, setNight] = useState(storedNight);
  const toggle = () => {
    applyNight(!night);
    setNight(!night);
    storeNight(!night);
  };
  return (
    <button type="button" class="night" aria-pressed={night} onClick={toggle}>
      Night mode
    </button>
  );
}
