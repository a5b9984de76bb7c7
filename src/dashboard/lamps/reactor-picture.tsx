// The reactor in the service side view, with some lamps filled: the replaced one, or those to
// change.

import { REACTOR_ROWS } from "../../bwts/lamps/reactor.ts";
import { lampName } from "./lamp-words.ts";

export function ReactorPicture({ lamps }: { readonly lamps: readonly number[] }) {
  const places = REACTOR_ROWS.flatMap((columns, row) =>
    Array.from({ length: columns }, (_, column) => ({
      x: 50 + 24 * (column - (columns - 1) / 2),
      y: 14 + 24 * row,
    })),
  );
  return (
    <svg
      class="reactor"
      viewBox="0 0 100 172"
      role="img"
      aria-label={lamps.map(lampName).join(", ")}
    >
      {places.map(({ x, y }, position) => (
        <circle
          key={y * 100 + x}
          class={lamps.includes(position + 1) ? "solid" : ""}
          cx={x}
          cy={y}
          r="9"
        />
      ))}
    </svg>
  );
}
