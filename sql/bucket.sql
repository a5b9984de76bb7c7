-- Hour and day buckets.

-- name: bucket.hour
select start_ms, count, last_ms, fields from bucket_hour where start_ms = $start_ms;

-- name: bucket.put_hour
insert into bucket_hour (start_ms, count, last_ms, fields)
values ($start_ms, $count, $last_ms, $fields)
on conflict (start_ms) do update
set count = excluded.count, last_ms = excluded.last_ms, fields = excluded.fields;

-- name: bucket.put_day
insert into bucket_day (start_ms, count, last_ms, fields)
values ($start_ms, $count, $last_ms, $fields)
on conflict (start_ms) do update
set count = excluded.count, last_ms = excluded.last_ms, fields = excluded.fields;

-- name: bucket.hours
-- The next hours of a range of starts, both ends included.
select start_ms, count, last_ms, fields from bucket_hour
where start_ms between $start_ms and $end_ms order by start_ms limit $limit;

-- name: bucket.days
-- The next days of a range of starts, both ends included.
select start_ms, count, last_ms, fields from bucket_day
where start_ms between $start_ms and $end_ms order by start_ms limit $limit;

-- name: bucket.hour_counts
-- Readings per hour, to find a page at any depth.
select start_ms, count from bucket_hour
where start_ms between $start_ms and $end_ms order by start_ms;

-- name: bucket.day_counts
-- Readings per day, likewise.
select start_ms, count from bucket_day
where start_ms between $start_ms and $end_ms order by start_ms;
