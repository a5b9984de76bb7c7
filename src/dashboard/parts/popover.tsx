// A button that opens a box below it. The box closes on Escape, on a press elsewhere, and when the
// focus moves to another element; Escape returns the focus to the button.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface PopoverProps {
  /** The words on the button. */
  readonly text: ComponentChildren;
  /** Name for screen readers, if the words aren't enough. */
  readonly label?: string;
  /** The id of more words for screen readers, such as the name of a field. */
  readonly describedBy?: string;
  /** True while something is chosen in the box. */
  readonly isPressed?: boolean;
  /** The side of the button with which the box is aligned. */
  readonly side: "left" | "right";
  /** True for a box that never scrolls, so that another one can extend beyond its edge. */
  readonly isShort?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Minimum distance in pixels between a box and the edge of the screen. */
const EDGE_PX = 8;

export function Popover(props: PopoverProps) {
  const { text, label, describedBy, isPressed, side, isShort, children } = props;
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const isOutside = ({ target }: Event) =>
      target instanceof Node && target.isConnected && place.current?.contains(target) === false;
    const leave = (event: Event) => isOutside(event) && setOpen(false);
    const onEscape = (event: KeyboardEvent) => {
      const { key, target } = event;
      const inner = target instanceof Element ? target.closest(".popover") : null;
      // If two boxes are open, the inner one closes first.
      if (key !== "Escape" || (inner !== null && inner !== place.current)) return;
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
  useLayoutEffect(() => {
    if (box.current === null) return;
    const { left, right } = box.current.getBoundingClientRect();
    const beyond = Math.max(0, right + EDGE_PX - document.documentElement.clientWidth);
    box.current.style.marginLeft = `${Math.max(-beyond, EDGE_PX - left)}px`;
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
        aria-describedby={describedBy}
        aria-expanded={isOpen}
        aria-pressed={isPressed}
        onClick={() => setOpen(!isOpen)}
      >
        {text}
      </button>
      {isOpen && (
        <div
          class={[
            "popover-box",
            side === "right" ? side : "",
            isShort === true ? "short" : "",
          ].join(" ")}
          ref={box}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
