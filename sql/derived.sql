-- Rows of all tables derived from readings, to be proven by their checksums (derived.ts). The
-- program replaces the words in capitals.

-- name: derived.rows
-- Some rows of a derivation's table.
select * from TABLE limit $limit offset $skip;

-- name: derived.count
select count(*) as count from TABLE;

-- name: derived.row
-- One row of a derivation's table, by its key.
select * from TABLE where KEY;

-- name: derived.remove
delete from TABLE where KEY;

-- name: derived.put
-- Stores a row unless there is one with its key.
insert or ignore into TABLE values (COLUMNS);

-- name: derived.hours
-- The hours with readings, from a time on.
select start_ms from bucket where interval = 'hour' and start_ms >= $start_ms
union
select at_ms - at_ms % 3600000 as start_ms from reading where at_ms >= $start_ms
order by start_ms;
