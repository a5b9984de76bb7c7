// Splits the text of SQL statements as far as `ballastd sql` needs it: the ends of statements,
// their words, and the columns that they may use. SQLite itself judges everything else.

/**
 * Matches one token: a quoted text or name, a comment, a word, white space, or any other character.
 */
const TOKEN =
  /'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*.*?(?:\*\/|$)|\w+|\s+|./gs;
const IGNORED = /^(?:\s|--|\/\*)/;

/** Splits a text at its semicolons into complete statements and the rest. */
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

/** Tokens after which a star means all columns; any other star multiplies or counts rows. */
const BEFORE_COLUMNS = new Set(["select", "distinct", "all", ",", "."]);

/** The names among `columns` that a statement may use: those in its text, or all of them. */
export function columnsUsed(statement: string, columns: readonly string[]): ReadonlySet<string> {
  const tokens = tokensOf(statement);
  const usesAll = tokens.some(
    (token, index) =>
      token === "natural" || (token === "*" && BEFORE_COLUMNS.has(tokens[index - 1])),
  );
  const words = new Set(statement.toLowerCase().match(/\w+/g));
  return new Set(usesAll ? columns : columns.filter((name) => words.has(name.toLowerCase())));
}
