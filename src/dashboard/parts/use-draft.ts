// A text that is being written: kept in this browser for 15 minutes, so that it survives a reload
// and a lost link, with the key under which ballastd stores it once however often it is sent.

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
  /** Forgets it, once it is stored. */
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

/** Reads what was given when it was drawn last. */
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

/** Null without one, and for one that is older; that one is forgotten. */
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
