-- Hours and days of sealed readings; bucket.generated.sql has the statements with their fields.

-- name: bucket.heads
-- The number of readings in each hour or day that starts in a range.
select start_ms, last_ms, count, checksum from bucket
where interval = $interval and start_ms between $start_ms and $end_ms;

-- name: bucket.remove
-- None of its readings is visible any more.
delete from bucket where interval = $interval and start_ms = $start_ms;

-- name: bucket.at
-- The row to which the index leads.
select id from bucket where interval = $interval and start_ms = $start_ms;

-- name: bucket.places
-- The places of rows in the index, by which answers look them up.
select interval, start_ms, id from bucket order by interval, start_ms;

-- name: bucket.reindex
reindex bucket;

-- name: bucket.move
-- To the place that the index told, where the row's own is damaged.
update or ignore bucket set interval = $interval, start_ms = $start_ms where id = $id;

-- name: bucket.remove_row
delete from bucket where id = $id;

-- name: bucket.uneven_days
-- The days of which the count isn't that of their hours: an hour or the day lies elsewhere.
select start_ms - start_ms % 86400000 as day_ms from bucket
group by day_ms having sum(case interval when 'day' then count else -count end) <> 0;

-- name: bucket.sealed
-- Sealed readings of the days that start in a range, as they were counted.
select coalesce(sum(count), 0) as count from bucket
where interval = 'day' and start_ms between $start_ms and $end_ms;

-- name: bucket.extent
-- From when to when there can be readings, stored or hot, by whole days. Each end by itself: both
-- together would walk the table.
select min(first_ms) as first_ms, max(last_ms) as last_ms from (
  select (select min(start_ms) from bucket where interval = 'day') as first_ms,
    (select max(start_ms) from bucket where interval = 'day') + 86399999 as last_ms
  union all
  select (select min(at_ms) from reading), (select max(at_ms) from reading)
);
