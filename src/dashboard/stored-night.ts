// Night mode as this browser remembers it: dim red on black, for a bridge at night. Day follows the
// system's light or dark. The manual's pages take it up as well, so nothing here needs Preact.

const KEY = "ballastd.night";

/** True if this browser remembers night mode. */
export function storedNight(): boolean {
  try {
    return window.localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is refused by some kiosk settings; day is then the start
  }
}

export function storeNight(night: boolean): void {
  try {
    window.localStorage.setItem(KEY, night ? "on" : "off");
  } catch {
    // not remembered, yet applied
  }
}

export function applyNight(night: boolean): void {
  document.documentElement.dataset.theme = night ? "night" : "day";
}
