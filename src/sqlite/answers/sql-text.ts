// Takes the text of SQL statements apart as far as `ballastd sql` needs it: where one ends, its
// words, and the columns that it may use. SQLite itself judges everything else.

/** A quoted text or name, a comment, a word, white space, or any other character. */
const TOKEN =
  /'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*.*?(?:\*\/|$)|\w+|\s+|./gs;
const IGNORED = /^(?:\s|--|\/\*)/;

/** Splits at the semicolons: statements that are complete, and what follows the last of them. */
export function splitStatements(text: string): {
  readonly statements: readonly string[];
  readonly rest: string;
} {
  const statements: string[] = [];
  let start = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token !== ";") continue;
    const statement = text.slice(start, index);
    if (tokensOf(statement).length > 0) statements.push(statement.trim());
    start = index + 1;
  }
  return { statements, rest: text.slice(start) };
}

/** The tokens of a statement in lower case, without white space and comments. */
export function tokensOf(statement: string): readonly string[] {
  return (statement.match(TOKEN) ?? [])
    .filter((token) => !IGNORED.test(token))
    .map((token) => token.toLowerCase());
}

/** A star after one of these stands for columns; another one multiplies, or counts rows. */
const BEFORE_COLUMNS = new Set(["select", "distinct", "all", ",", "."]);

/** The names among `columns` that a statement may use: those that its text has, or all of them. */
export function columnsUsed(statement: string, columns: readonly string[]): ReadonlySet<string> {
  const tokens = tokensOf(statement);
  const usesAll = tokens.some(
    (token, index) =>
      token === "natural" || (token === "*" && BEFORE_COLUMNS.has(tokens[index - 1])),
  );
  const words = new Set(statement.toLowerCase().match(/\w+/g));
  return new Set(usesAll ? columns : columns.filter((name) => words.has(name.toLowerCase())));
}
