// Keeps the focus for users of keys or a screen reader. If the focused control is removed or
// disabled, as a button after its act, the browser would move the focus to the whole document. It
// moves to the outcome beside, or to the nearest heading. One observer serves all pages, because
// any answer may remove a button.

const OUTCOMES = "[role=alert], [role=status]";
const HEADINGS = "h1, h2, h3";

/** The control that has the focus, and the elements around it, the nearest first. */
interface HeldFocus {
  readonly control: HTMLElement;
  readonly around: readonly HTMLElement[];
}

/**
 * Starts to keep the focus within the page's content; the menu and the head restore it themselves.
 */
export function keepFocus(): void {
  let held: HeldFocus | null = null;
  document.addEventListener("focusin", ({ target }) => {
    held = target instanceof HTMLElement ? { control: target, around: around(target) } : null;
  });
  // A user who points elsewhere has left the control.
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (!(target instanceof Node) || held?.control.contains(target) !== true) held = null;
    },
    { capture: true },
  );
  const observer = new MutationObserver(() => {
    if (held === null || !isLost(held.control) || !document.hasFocus()) return;
    const place = placeIn(held.around);
    held = null;
    if (place === null) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  const watched = { childList: true, subtree: true, attributeFilter: ["disabled"] };
  observer.observe(document.body, watched);
}

function isLost(control: HTMLElement): boolean {
  const { activeElement, body } = document;
  const isNowhere = activeElement === null || activeElement === body || activeElement === control;
  return isNowhere && (!control.isConnected || control.matches(":disabled"));
}

/** The elements around the control, up to the page's content; none if it is outside. */
function around(control: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let one = control.parentElement; one !== null; one = one.parentElement) {
    found.push(one);
    if (one.id === "content") return found;
  }
  return [];
}

/**
 * The new place of the focus, in the nearest remaining element that has one: the outcome, else the
 * heading.
 */
function placeIn(elements: readonly HTMLElement[]): HTMLElement | null {
  for (const one of elements.filter(({ isConnected }) => isConnected))
    for (const places of [OUTCOMES, HEADINGS])
      for (const place of one.querySelectorAll<HTMLElement>(places))
        if (place.getClientRects().length > 0) return place;
  return null;
}
