-- Everything that is made of readings, to be proven by its checksums (derived.ts).

-- name: derived.counts
select start_ms, count, hours from day_count;

-- name: derived.hours
select start_ms, count, last_ms, fields from bucket_hour;

-- name: derived.days
select start_ms, count, last_ms, fields from bucket_day;

-- name: derived.blocks
select interval, start_ms, buckets from bucket_block;

-- name: derived.rows
-- Some rows of a table of a derivation, whose name is put in.
select * from TABLE limit $limit offset $skip;

-- name: derived.count
select count(*) as count from TABLE;

-- name: derived.tables
-- Those that the database has: one of an older schema lacks some.
select name from sqlite_schema where type = 'table';
