// Night mode: dim red on black, for a bridge at night. Remembered in this browser where it allows
// that; day follows the system's light or dark.

import { useState } from "preact/hooks";

const KEY = "ballastd.night";

/** Whether this browser remembers night mode. */
export function storedNight(): boolean {
  try {
    return window.localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is refused by some kiosk settings; day is then the start
  }
}

export function applyNight(night: boolean): void {
  document.documentElement.dataset.theme = night ? "night" : "day";
}

export function NightButton() {
  const [night, setNight] = useState(storedNight);
  const toggle = () => {
    applyNight(!night);
    setNight(!night);
    try {
      window.localStorage.setItem(KEY, night ? "off" : "on");
    } catch {
      // not remembered, yet applied
    }
  };
  return (
    <button type="button" class="night" aria-pressed={night} onClick={toggle}>
      Night mode
    </button>
  );
}
