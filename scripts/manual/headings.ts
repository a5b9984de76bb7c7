// The manual's headings as the dashboard's search asks for them: each with the page that it is on,
// in the order of the manual.

import type { PageHtml } from "./page-html.ts";

/** `anchor` is "" for the title of a page; `of` is that title. */
export function headingsJson(pages: readonly PageHtml[]): string {
  const headings = pages.flatMap(({ name, title, headings }) =>
    headings.map(({ anchor, text }) => ({
      ...{ page: name, of: decoded(title), anchor, text: decoded(text) },
    })),
  );
  return JSON.stringify(headings);
}

/** marked escapes texts for HTML. */
function decoded(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" },
  };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (sign) => signs[sign] ?? sign);
}
