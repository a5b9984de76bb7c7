-- Hour and day buckets of sealed readings: rows, and blocks of them.

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
-- The hours that start in a range and have a row of their own.
select start_ms, count, last_ms, fields from bucket_hour
where start_ms between $start_ms and $end_ms order by start_ms;

-- name: bucket.days
-- The days, likewise.
select start_ms, count, last_ms, fields from bucket_day
where start_ms between $start_ms and $end_ms order by start_ms;

-- name: bucket.remove_hours
-- Packed into a block now.
delete from bucket_hour where start_ms between $start_ms and $end_ms;

-- name: bucket.remove_days
delete from bucket_day where start_ms between $start_ms and $end_ms;

-- name: bucket.next_block
-- The first block of a range of starts, both ends included.
select start_ms, buckets from bucket_block
where interval = $interval and start_ms between $start_ms and $end_ms
order by start_ms limit 1;

-- name: bucket.put_block
insert into bucket_block (interval, start_ms, buckets) values ($interval, $start_ms, $buckets)
on conflict (interval, start_ms) do update set buckets = excluded.buckets;

-- name: bucket.remove_block
-- None of its buckets has a reading any more.
delete from bucket_block where interval = $interval and start_ms = $start_ms;

-- name: bucket.extent
-- From when to when there can be readings, stored or hot, by whole days. Each end by itself: both
-- together would walk the table.
select min(first_ms) as first_ms, max(last_ms) as last_ms from (
  select (select min(start_ms) from bucket_day) as first_ms,
    (select max(start_ms) from bucket_day) + 86399999 as last_ms
  union all
  select (select min(start_ms) from bucket_block where interval = 'day'),
    (select max(start_ms) from bucket_block where interval = 'day') + 73 * 86400000
  union all
  select (select min(at_ms) from reading), (select max(at_ms) from reading)
);
