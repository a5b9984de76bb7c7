// Reads the statements of a file in sql/: each follows a line `-- name: <name>`, so that a person
// can paste it into a shell, and the sources use it by its name.

/** The statements of a file, by name. */
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
