// A text being written: kept in this browser for 15 minutes, so that it survives a reload or a lost
// link. Its key makes ballastd store it only once, however often it is sent.

import { useRef, useState } from "preact/hooks";
import { remember, remembered } from "../store/remembered.ts";

const KEPT_MS = 15 * 60_000;
const KEY_BYTES = 16;

export type DraftFields = Readonly<Record<string, string>>;

interface KeptDraft {
  readonly at_ms: number;
  readonly key: string;
  readonly fields: DraftFields;
}

export interface OpenDraft {
  readonly fields: DraftFields;
  readonly key: string;
  readonly isBegun: boolean;
  type(fields: DraftFields): void;
  /** Deletes the draft, once the text is stored. */
  clear(): void;
}

export function useDraft(name: string): OpenDraft {
  const place = `draft.${name}`;
  const [draft, setDraft] = useState(() => keptDraft(place) ?? emptyDraft());
  return {
    fields: draft.fields,
    key: draft.key,
    isBegun: Object.keys(draft.fields).length > 0,
    type(typed) {
      const fields = { ...draft.fields, ...typed };
      const changed = { at_ms: Date.now(), key: draft.key, fields };
      remember(place, JSON.stringify(changed));
      setDraft(changed);
    },
    clear() {
      remember(place, "");
      setDraft(emptyDraft());
    },
  };
}

/** Returns a function that reads the value of the latest drawing. */
export function useLatest<T>(given: T): () => T {
  const latest = useRef(given);
  latest.current = given;
  return () => latest.current;
}

function emptyDraft(): KeptDraft {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { at_ms: Date.now(), key, fields: {} };
}

/** The kept draft; null if there is none, or if it is too old, in which case it is deleted. */
function keptDraft(place: string): KeptDraft | null {
  try {
    const { at_ms, key, fields } = JSON.parse(remembered(place) ?? "");
    const isWhole = typeof key === "string" && typeof fields === "object" && fields !== null;
    if (isWhole && Math.abs(Date.now() - at_ms) < KEPT_MS) return { at_ms, key, fields };
  } catch {
    return null;
  }
  remember(place, "");
  return null;
}
