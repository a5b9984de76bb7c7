// A text to be copied, with a button for it. A page over plain HTTP has no clipboard API, so the
// text is copied from the drawn field.

import "./copy-field.css";
import { useRef, useState } from "preact/hooks";
import { partsWords as t } from "../lang/words.ts";

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
}

export function CopyField({ label, text }: CopyFieldProps) {
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<string | null>(null);
  const copy = () => {
    if (shown.current === null) return;
    getSelection()?.selectAllChildren(shown.current);
    setCopied(document.execCommand("copy") ? text : null);
  };
  return (
    <div class="copy-field">
      <div>
        <span>{label}</span>
        <code ref={shown} data-copy={label}>
          {text}
        </code>
      </div>
      <button type="button" onClick={copy}>
        {t(copied === text ? "copied" : "copy")} <span class="unseen">{label}</span>
      </button>
    </div>
  );
}
