-- Everything that is made of readings, to be proven by its checksums (derived.ts).

-- name: derived.counts
select start_ms, count, hours from day_count;

-- name: derived.hours
select start_ms, count, last_ms, fields from bucket_hour;

-- name: derived.days
select start_ms, count, last_ms, fields from bucket_day;

-- name: derived.blocks
select interval, start_ms, buckets from bucket_block;

-- name: derived.health
select day_ms, records from health_day;

-- name: derived.forecasts
select at_ms, forecasts from forecast;

-- name: derived.lamps
select through_ms, version, state from lamp_state;

-- name: derived.scores
select position, began_ms, score from lamp_score;

-- name: derived.tables
-- Those that the database has: one of an older schema lacks some.
select name from sqlite_schema where type = 'table';
