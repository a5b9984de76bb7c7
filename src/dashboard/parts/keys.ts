// Bare keys: one letter, digit or arrow, without Ctrl. The frame and the pages register their
// bindings, and the list under `?` shows them. They do nothing while somebody types, and all of
// them can be turned off, for users who speak to their computer.

import { useLayoutEffect, useRef } from "preact/hooks";
import { remember, remembered } from "../store/remembered.ts";

export interface KeyBinding {
  /** Values of `KeyboardEvent.key`; letters in lower case. */
  readonly keys: readonly string[];
  /** Translated description, for the list. */
  readonly about: string;
  readonly run: () => void;
}

const CHOICE = "keys";

/** Rank of a binding: the page's keys override the frame's. */
type Rank = "frame" | "page";

interface Registration {
  readonly rank: Rank;
  bindings: readonly KeyBinding[];
}

const registered = new Set<Registration>();

/** The present bindings, the frame's first. */
export function boundKeys(): readonly KeyBinding[] {
  const all = [...registered];
  const of = (rank: Rank) => all.filter((one) => one.rank === rank);
  return [...of("frame"), ...of("page")].flatMap(({ bindings }) => bindings);
}

/** Binds keys for as long as the component is shown. */
export function useKeys(bindings: readonly KeyBinding[], rank: Rank = "page"): void {
  const registration = useRef<Registration>({ rank, bindings });
  registration.current.bindings = bindings;
  // Registered in the same turn as the drawing, so that the keys match the page in sight.
  useLayoutEffect(() => {
    const { current } = registration;
    registered.add(current);
    return () => {
      registered.delete(current);
    };
  }, []);
}

export function areKeysOn(): boolean {
  return remembered(CHOICE) !== "off";
}

export function turnKeys(on: boolean): void {
  remember(CHOICE, on ? "on" : "off");
}

/**
 * Starts to listen; called once. If a key has two bindings, the later one of `boundKeys` counts.
 */
export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (isTyping(event.target) || !areKeysOn()) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const bound = [...boundKeys()].reverse().find(({ keys }) => keys.includes(key));
    if (bound === undefined) return;
    event.preventDefault();
    bound.run();
  });
}

/** True for an element that takes keys itself. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
