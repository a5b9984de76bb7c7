// A button that opens a box below it. The box closes on Escape, on a press elsewhere, and when the
// focus goes on to another element; Escape gives the focus back to the button.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface PopoverProps {
  /** The words on the button. */
  readonly text: ComponentChildren;
  /** For screen readers, where the words don't suffice. */
  readonly label?: string;
  /** The id of more words for screen readers, such as the name of a field. */
  readonly describedBy?: string;
  /** True while what the box chooses is chosen. */
  readonly isPressed?: boolean;
  /** The side of the button that the box keeps to. */
  readonly side: "left" | "right";
  /** True for a box that never scrolls, so that another one can open beyond its edge. */
  readonly isShort?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Room between a box and the edge of the screen. */
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
      // The inner one of two boxes closes.
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
