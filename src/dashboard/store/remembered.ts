// Choices that this browser remembers: palette, language, clock. Some kiosks refuse storage; then a
// choice lasts until the page is left.

const PREFIX = "ballastd.";

/** The remembered choice; null if there is none. */
export function remembered(name: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function remember(name: string, choice: string): void {
  try {
    window.localStorage.setItem(PREFIX + name, choice);
  } catch {
    // not remembered, but in force
  }
}
