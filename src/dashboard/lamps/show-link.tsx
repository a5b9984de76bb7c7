// A link that opens a part of the page Lamps, or closes it again. The address holds the open part,
// so that Back closes it too.

import { addressOf } from "../parts/view.ts";
import { LAMPS_VIEW, type LampsView } from "./view.ts";

interface ShowLinkProps {
  readonly view: LampsView;
  readonly what: LampsView["show"];
  readonly text: string;
}

export function ShowLink({ view, what, text }: ShowLinkProps) {
  const isShown = view.show === what;
  const show = isShown ? "lamps" : what;
  return (
    <a
      class={isShown ? "show-link shown" : "show-link"}
      href={addressOf("lamps", LAMPS_VIEW, { ...view, show })}
      aria-current={isShown ? "true" : undefined}
    >
      {text}
    </a>
  );
}
