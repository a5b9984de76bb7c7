// Bare keys: one letter, digit or arrow, no Ctrl. The frame and the pages register what theirs do,
// the list under `?` is made of what is registered. Nothing happens while somebody types, and all
// of them can be turned off, for people who speak to their computer.

import { useLayoutEffect, useRef } from "preact/hooks";
import { remember, remembered } from "../store/remembered.ts";

export interface KeyBinding {
  /** As `KeyboardEvent.key` has it; letters in lower case. */
  readonly keys: readonly string[];
  /** The translated meaning, for the list. */
  readonly about: string;
  readonly run: () => void;
}

const CHOICE = "keys";

/** Keys of the frame give way to those of the page that it shows. */
type Rank = "frame" | "page";

interface Registration {
  readonly rank: Rank;
  bindings: readonly KeyBinding[];
}

const registered = new Set<Registration>();

/** The bindings that hold now, the frame's first. */
export function boundKeys(): readonly KeyBinding[] {
  const all = [...registered];
  const of = (rank: Rank) => all.filter((one) => one.rank === rank);
  return [...of("frame"), ...of("page")].flatMap(({ bindings }) => bindings);
}

/** Binds keys for as long as the component is shown. */
export function useKeys(bindings: readonly KeyBinding[], rank: Rank = "page"): void {
  const registration = useRef<Registration>({ rank, bindings });
  registration.current.bindings = bindings;
  // With the drawing: what is seen takes its keys.
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

/** Starts to listen; called once. Of two bindings of a key the later one in that order wins. */
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

/** True for what takes keys itself. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
