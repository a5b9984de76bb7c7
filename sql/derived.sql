-- Everything that is made of readings, to be proven by its checksums (derived.ts).

-- name: derived.rows
-- Some rows of a table of a derivation, whose name is put in.
select * from TABLE limit $limit offset $skip;

-- name: derived.count
select count(*) as count from TABLE;

-- name: derived.row
-- One row of such a table, by its key, which is put in.
select * from TABLE where KEY;

-- name: derived.remove
delete from TABLE where KEY;

-- name: derived.put
-- A row at its place, unless there is one; its columns are put in.
insert or ignore into TABLE values (COLUMNS);

-- name: derived.hours
-- The hours that have readings, from a time on.
select start_ms from bucket where interval = 'hour' and start_ms >= $start_ms
union
select at_ms - at_ms % 3600000 as start_ms from reading where at_ms >= $start_ms
order by start_ms;
