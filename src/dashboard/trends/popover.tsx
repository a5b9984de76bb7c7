// A button that opens a box below it. The box closes on Escape, on a press elsewhere, and when the
// focus goes on to another element; Escape gives the focus back to the button.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface PopoverProps {
  /** The words on the button. */
  readonly text: ComponentChildren;
  /** For screen readers, where the words don't suffice. */
  readonly label?: string;
  /** True while what the box chooses is chosen. */
  readonly isPressed?: boolean;
  /** The side of the button that the box keeps to. */
  readonly side: "left" | "right";
  readonly children: (close: () => void) => ComponentChildren;
}

export function Popover({ text, label, isPressed, side, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const isOutside = ({ target }: Event) =>
      target instanceof Node && target.isConnected && place.current?.contains(target) === false;
    const leave = (event: Event) => isOutside(event) && setOpen(false);
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", onEscape, true);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", onEscape, true);
    };
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class="popover" ref={place}>
      <button
        type="button"
        ref={button}
        aria-label={label}
        aria-expanded={isOpen}
        aria-pressed={isPressed}
        onClick={() => setOpen(!isOpen)}
      >
        {text}
      </button>
      {isOpen && (
        <div class={side === "right" ? "popover-box right" : "popover-box"}>{children(close)}</div>
      )}
    </div>
  );
}
