// A link to another answer of ballastd. With a token it is saved as a file instead, because a
// browser follows links without the token.

import type { TargetedMouseEvent } from "preact";
import { save } from "../store/save.ts";
import { hasToken } from "../store/token.ts";

interface AnswerLinkProps {
  readonly path: string;
  /** Text of the link; without one the path itself. */
  readonly text?: string;
}

export function AnswerLink({ path, text }: AnswerLinkProps) {
  const open = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (!hasToken()) return;
    event.preventDefault();
    void save(path);
  };
  return (
    <a class={text === undefined ? undefined : "alone"} href={path.slice(1)} onClick={open}>
      {text ?? path}
    </a>
  );
}
