// Statements of a file in sql/: each stands under a line `-- name: <name>`, so that a person can
// paste it into a shell and the sources call it by its name.

/** The texts of a file's statements by their names. */
export function statementsIn(file: string): ReadonlyMap<string, string> {
  return new Map(
    file
      .split(/^-- name: /m)
      .slice(1)
      .map((block) => {
        const [name] = block.split("\n", 1);
        return [name.trim(), block.slice(name.length)];
      }),
  );
}
