// The hits as a list of links: a word for the kind, the title, and in small letters the context.
// The first one is marked, because Enter in the field opens it.

import { searchWords as t } from "../lang/words.ts";
import type { Findable } from "./ranking.ts";

export function HitList({ hits }: { hits: readonly Findable[] }) {
  return (
    <ul class="hits">
      {hits.map((hit) => (
        <Hit key={`${hit.href} ${hit.title}`} hit={hit} />
      ))}
    </ul>
  );
}

function Hit({ hit: { kind, title, detail, code, href, isEnglish } }: { hit: Findable }) {
  return (
    <li>
      <a href={href}>
        <span class="kind">{t(`kind_${kind}`)}</span>
        <span>
          <b lang={isEnglish ? "en" : undefined}>{title}</b>{" "}
          <span class="quiet" lang={kind === "manual" ? "en" : undefined}>
            {detail}
          </span>
          {code !== "" && <code> {code}</code>}
        </span>
      </a>
    </li>
  );
}
