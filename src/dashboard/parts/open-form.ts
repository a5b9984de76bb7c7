// A form that a button opens, in its place or below it. The focus goes into the form's first field,
// and back to the button when the form closes: whoever works by keys stays where he was.

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
  return { isOpen, setOpen, opener, form };
}
