// Tables in Markdown: a head, and rows with as many cells. A `|` in a cell is escaped, because it
// would begin another cell, and so is a `<` outside code, which a browser takes for a tag.

export type Cells = readonly string[];

export function markdownTable(head: Cells, rows: readonly Cells[]): string {
  const line = (cells: Cells) => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Text set as code; nothing for an empty one. */
export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

function escaped(cell: string): string {
  const parts = cell.replaceAll("|", "\\|").split("`");
  return parts.map((part, at) => (at % 2 === 0 ? part.replaceAll("<", "\\<") : part)).join("`");
}
