// One page of the manual as HTML, by marked at build time: the program holds the HTML alone.
// Headings get the anchors that a Git host gives them, so that one link works in both. Raw HTML is
// refused: a Git host would not show the same.

import { Marked, type Tokens } from "marked";
import type { Page } from "./pages.ts";

export interface PageHtml {
  readonly name: string;
  /** Its first heading, without markup. */
  readonly title: string;
  /** Its headings of the second level: the element's id and what it says, as HTML. */
  readonly sections: readonly { readonly id: string; readonly html: string }[];
  readonly html: string;
  /** All of its headings, without markup; the anchor of its title is "". */
  readonly headings: readonly { readonly anchor: string; readonly text: string }[];
  /** The files of docs/ that it shows or links to. */
  readonly files: readonly string[];
}

/** A page's references to others, which differ between a page alone and all in one. */
export interface Places {
  /** The id of a heading of the page `name`. */
  readonly id: (name: string, anchor: string) => string;
  /** The link to the page `name`, or to a heading of it; `anchor` is "" for the page itself. */
  readonly page: (name: string, anchor: string) => string;
  /** The link to a file of docs/ that isn't a page, such as a picture. */
  readonly file: (name: string) => string;
}

/** Renders a page. Throws, naming the page, for what can't be shown as on a Git host. */
export function pageHtml({ name, markdown }: Page, places: Places): PageHtml {
  const headings: { depth: number; id: string; html: string; anchor: string; text: string }[] = [];
  const taken = new Map<string, number>();
  const problems: string[] = [];
  const files: string[] = [];
  const fileAt = (file: string) => {
    files.push(file);
    return places.file(file);
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        const anchor = anchorOf(text, taken);
        const id = places.id(name, anchor);
        headings.push({ depth, id, html, anchor: depth === 1 ? "" : anchor, text });
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const target = linkOf(name, href, { ...places, file: fileAt });
        if (target === null) problems.push(`${href} is neither a page nor a file of docs/`);
        return `<a href="${target}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="${fileAt(href)}" alt="${escaped(text)}">`;
      },
      table(token: Tokens.Table): string {
        const rows = tableOf(token, (cell) => this.parser.parseInline(cell));
        return `<div class="wide">${rows}</div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        // The marks of generated tables.
        if (/^\s*(<!--[^<>]*-->\s*)+$/.test(text)) return "";
        problems.push(`${text.trim()} would be taken for HTML`);
        return "";
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  const [first] = headings;
  if (first?.depth !== 1) problems.push("it doesn't begin with a title (#)");
  if (problems.length > 0) throw new Error(`docs/${name}.md: ${problems.join("; ")}`);
  const title = first.html.replace(/<[^>]*>/g, "");
  const sections = headings.filter(({ depth }) => depth === 2);
  return { name, title, sections, headings, html, files };
}

/** A heading's anchor as Git hosts make it; a second one of the same text gets a number. */
export function anchorOf(text: string, taken: Map<string, number>): string {
  const anchor = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
  const times = taken.get(anchor) ?? 0;
  taken.set(anchor, times + 1);
  return times === 0 ? anchor : `${anchor}-${times}`;
}

/** Null for a link that would lead nowhere aboard. */
function linkOf(name: string, href: string, places: Places): string | null {
  if (/^https?:/.test(href)) return escaped(href);
  const [file = "", anchor = ""] = href.split("#");
  if (file === "") return places.page(name, anchor);
  const page = /^([a-z0-9-]+)\.md$/.exec(file)?.[1];
  if (page !== undefined) return places.page(page, anchor);
  return /^[\w-]+(\/[\w-]+)*\.\w+$/.test(file) ? places.file(file) : null;
}

function tableOf(
  { header, rows }: Tokens.Table,
  inline: (tokens: Tokens.TableCell["tokens"]) => string,
): string {
  const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(tokens)}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("\n");
  return `<table>\n<thead>${row(header, "th")}</thead>\n<tbody>${body}</tbody>\n</table>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
