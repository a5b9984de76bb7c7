// A text from the plant, which may have thousands of characters without a space: its beginning, and
// a button that shows all of it with its lines, because it may be a rule to be copied.

import { useState } from "preact/hooks";
import { partsWords as t } from "../lang/words.ts";
import { WholeDates } from "./whole-dates.tsx";

interface LongTextProps {
  readonly text: string;
  /** Number of characters shown at first: three lines of a telephone, or one sentence. */
  readonly max?: number;
}

export function LongText({ text, max = 120 }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const short = beginningOf(text, max);
  if (short === text) return <WholeDates text={text} />;
  return (
    <>
      {isWhole ? <span class="whole-text">{text}</span> : short}{" "}
      <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {t("whole_text")}
      </button>
    </>
  );
}

/** The text's first `max` characters and an ellipsis; a shorter one as it is. */
export function beginningOf(text: string, max: number): string {
  // Counted by code points of at most two units: no emoji is cut in two, and each counts once.
  const beginning = [...text.slice(0, 2 * max + 2)];
  return beginning.length <= max ? text : `${beginning.slice(0, max).join("")}…`;
}
