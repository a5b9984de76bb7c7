// A link to another answer of ballastd. With a token it is saved as a file instead, because a
// browser follows links without the token.

import type { TargetedMouseEvent } from "preact";
import { save } from "../store/save.ts";
import { hasToken } from "../store/token.ts";

export function AnswerLink({ path }: { path: string }) {
  const open = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (!hasToken()) return;
    event.preventDefault();
    void save(path);
  };
  return (
    <a href={path.slice(1)} onClick={open}>
      {path}
    </a>
  );
}
