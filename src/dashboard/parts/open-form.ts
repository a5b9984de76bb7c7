// A form that a button opens, in its place or below it. The focus moves to the form's first field,
// and back to the button when the form closes, so that users of keys keep their place. Escape
// closes it; the form decides where typed text is kept.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export interface OpenForm {
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly form: RefObject<HTMLFormElement | null>;
}

export function useOpenForm(isOpenFirst = false): OpenForm {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const opener = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const was = useRef(isOpen);
  useLayoutEffect(() => {
    if (was.current === isOpen) return;
    was.current = isOpen;
    const field = form.current?.querySelector<HTMLElement>("input, select, textarea");
    (isOpen ? field : opener.current)?.focus();
  }, [isOpen]);
  useEscape(form, isOpen ? () => setOpen(false) : null);
  return { isOpen, setOpen, opener, form };
}

/**
 * Runs `close` on Escape while the focus is in `place`, unless something in it took the key, such
 * as a calendar that closes first. Unlike the bare keys it works while somebody types.
 */
export function useEscape(place: RefObject<HTMLElement | null>, close: (() => void) | null): void {
  const latest = useRef(close);
  latest.current = close;
  // After each drawing, because the element may be new.
  useLayoutEffect(() => {
    const { current } = place;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || latest.current === null) return;
      event.preventDefault();
      latest.current();
    };
    current?.addEventListener("keydown", onKey);
    return () => current?.removeEventListener("keydown", onKey);
  });
}
