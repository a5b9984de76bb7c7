// A text to be copied: a field that can't be changed, and a button. A page over plain HTTP has no
// clipboard of its own, so that the text is copied from the field.

import "./copy-field.css";
import { useRef, useState } from "preact/hooks";
import { partsWords as t } from "../lang/words.ts";

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  /** Lines that are shown; by default as many as it has. */
  readonly rows?: number;
}

export function CopyField({ label, text, rows = text.split("\n").length }: CopyFieldProps) {
  const line = useRef<HTMLInputElement>(null);
  const lines = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState<string | null>(null);
  const copy = () => {
    line.current?.select();
    lines.current?.select();
    setCopied(document.execCommand("copy") ? text : null);
  };
  return (
    <div class="copy-field">
      {rows === 1 ? (
        <label>
          <span>{label}</span>
          <input type="text" readOnly ref={line} value={text} />
        </label>
      ) : (
        <label>
          <span>{label}</span>
          <textarea readOnly ref={lines} rows={rows} value={text} spellcheck={false} />
        </label>
      )}
      <button type="button" onClick={copy}>
        {t(copied === text ? "copied" : "copy")} <span class="unseen">{label}</span>
      </button>
    </div>
  );
}
