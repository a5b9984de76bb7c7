// A table wider than a telephone: it scrolls within itself, by touch and by keys, and its first
// column stays in sight.

import type { ComponentChildren } from "preact";

interface WideTableProps {
  /** The `id` of the table's heading. */
  readonly labelledBy: string;
  readonly columns: readonly string[];
  /** The rows of the table. */
  readonly children: ComponentChildren;
}

export function WideTable({ labelledBy, columns, children }: WideTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class="scrolled" tabIndex={0} aria-labelledby={labelledBy}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
