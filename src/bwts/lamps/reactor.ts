// The lamps in the reactor, seen from the side that is opened: rows of 1, 2, 3, 4, 3, 2 and 1, in
// the order of their numbers from the top and from the left. Without zod: it is part of the page.

/** Lamps in each row, from the top. */
export const REACTOR_ROWS: readonly number[] = [1, 2, 3, 4, 3, 2, 1];
export const REACTOR_PLACES = REACTOR_ROWS.reduce((sum, columns) => sum + columns, 0);

/** A place in the reactor; `row` and `column` count from 1. */
export interface ReactorPlace {
  readonly row: number;
  readonly column: number;
  /** Lamps in the row. */
  readonly columns: number;
}

/** The place of lamp `position + 1`. */
export function reactorPlace(position: number): ReactorPlace {
  let before = 0;
  const row = REACTOR_ROWS.findIndex((columns) => {
    before += columns;
    return position < before;
  });
  const columns = REACTOR_ROWS[row];
  return { row: row + 1, column: position - before + columns + 1, columns };
}
