// The statements of the table `bucket` that name all its columns, which follow from the catalogue.
// `put` has parameters without names: to bind hundreds by name takes longer than to write the row.
// Ranges have no `order by`, with which SQLite compiles a statement anew at each run, 0.2 ms.

import { ANSWER_COLUMNS, HEAD_COLUMNS, REST_COLUMNS } from "../../src/sqlite/sealed/bucket-row.ts";

export function bucketStatements(): string {
  const stored = [...HEAD_COLUMNS, ...ANSWER_COLUMNS, ...REST_COLUMNS];
  const put = ["interval", ...stored];
  return `-- Statements with all columns of buckets, made of the catalogue by npm run generate.

-- name: bucket.put
insert into bucket (
  ${lines(put)}
) values (
  ${lines(put.map(() => "?"))}
)
on conflict (interval, start_ms) do update set
  ${lines(stored.slice(1).map((name) => `${name} = excluded.${name}`))};

-- name: bucket.answers
-- The cells that an aggregated row is made of.
select
  ${lines([...HEAD_COLUMNS, ...ANSWER_COLUMNS])}
from bucket
where interval = $interval and start_ms between $start_ms and $end_ms;

-- name: bucket.whole
select
  ${lines(stored)}
from bucket
where interval = $interval and start_ms between $start_ms and $end_ms;

-- name: bucket.page
-- Whole rows as they lie in the table, which also finds those whose place is damaged.
select
  ${lines([...stored, "interval", "id"])}
from bucket where id > $id order by id limit $limit;
`;
}

const COLUMNS_MAX = 98;

/** A list of names, as many on a line as fit. */
function lines(names: readonly string[]): string {
  const filled: string[] = [];
  for (const name of names) {
    const longer = filled.length === 0 ? name : `${filled[filled.length - 1]}, ${name}`;
    if (filled.length > 0 && longer.length < COLUMNS_MAX) filled[filled.length - 1] = longer;
    else filled.push(name);
  }
  return filled.join(",\n  ");
}
