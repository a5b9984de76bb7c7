// The parts around the manual's text: head, title, table of contents. The style is day until the
// script says otherwise, so that a browser without scripts follows its system's light or dark too.

import type { PageHtml } from "./page-html.ts";

/** All pages one below the other, with a table of contents of pages and sections. */
export function wholePage(pages: readonly PageHtml[], version: string): string {
  const contents = pages.map(
    ({ name, title, sections }) =>
      `<li><a href="#${name}">${title}</a>\n<ul>\n${listOf(sections)}\n</ul></li>`,
  );
  const articles = pages.map(
    ({ name, html }) =>
      `<article id="${name}">\n${html}` +
      `<p class="alone"><a href="manual/${name}">This page alone</a>, for printing</p>\n</article>`,
  );
  return html({
    title: `ballastd ${version}: manual`,
    folder: "manual/",
    nav: `<p><b>ballastd ${version}</b></p>
<p><a href="./">The plant's page</a>, <a href="docs">the API</a></p>
<p>The whole manual is on this page: search it with the browser's Find (Ctrl-F).</p>
<ul>
${contents.join("\n")}
</ul>`,
    main: articles.join("\n"),
  });
}

/** One page by itself; `all` are those to go on to. */
export function alonePage(page: PageHtml, all: readonly PageHtml[], version: string): string {
  const others = all.map(({ name, title }) =>
    name === page.name
      ? `<li><b>${title}</b>\n<ul>\n${listOf(page.sections)}\n</ul></li>`
      : `<li><a href="${name}">${title}</a></li>`,
  );
  return html({
    title: `${page.title}: ballastd ${version}`,
    folder: "",
    nav: `<p><b>ballastd ${version}</b></p>
<p><a href="../manual">The whole manual on one page</a>, to search it</p>
<ul>
${others.join("\n")}
</ul>`,
    main: `<article>\n${page.html}</article>`,
  });
}

function listOf(sections: PageHtml["sections"]): string {
  return sections.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join("\n");
}

interface Parts {
  readonly title: string;
  /** From the page to the folder of its style sheet and script. */
  readonly folder: string;
  readonly nav: string;
  readonly main: string;
}

function html({ title, folder, nav, main }: Parts): string {
  return `<!doctype html>
<html lang="en" data-palette="day">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${folder}icon.svg">
<link rel="stylesheet" href="${folder}manual.css">
<script src="${folder}palette.js"></script>
</head>
<body>
<nav aria-label="Contents">
${nav}
</nav>
<main>
${main}
</main>
</body>
</html>
`;
}
