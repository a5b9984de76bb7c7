-- Hours and days of sealed readings; bucket.generated.sql has the statements with their fields.

-- name: bucket.heads
-- The number of readings in each hour or day that starts in a range.
select start_ms, last_ms, count, checksum from bucket
where interval = $interval and start_ms between $start_ms and $end_ms;

-- name: bucket.remove
-- Removes an hour or day without visible readings.
delete from bucket where interval = $interval and start_ms = $start_ms;

-- name: bucket.at
-- The row at a place in the index.
select id from bucket where interval = $interval and start_ms = $start_ms;

-- name: bucket.places
-- All places in the index, with the rows to which they lead.
select interval, start_ms, id from bucket order by interval, start_ms;

-- name: bucket.reindex
reindex bucket;

-- name: bucket.move
-- Moves a row whose own place is damaged to the place in the index.
update or ignore bucket set interval = $interval, start_ms = $start_ms where id = $id;

-- name: bucket.remove_row
delete from bucket where id = $id;

-- name: bucket.uneven_days
-- Days whose count differs from that of their hours: an hour or the day has a wrong place.
select start_ms - start_ms % 86400000 as day_ms from bucket
group by day_ms having sum(case interval when 'day' then count else -count end) <> 0;

-- name: bucket.sealed
-- Number of sealed readings in the days that start in a range.
select coalesce(sum(count), 0) as count from bucket
where interval = 'day' and start_ms between $start_ms and $end_ms;

-- name: bucket.extent
-- Range of the stored and hot readings, in whole days. Each end is a query of its own, since one
-- for both would walk the table.
select min(first_ms) as first_ms, max(last_ms) as last_ms from (
  select (select min(start_ms) from bucket where interval = 'day') as first_ms,
    (select max(start_ms) from bucket where interval = 'day') + 86399999 as last_ms
  union all
  select (select min(at_ms) from reading), (select max(at_ms) from reading)
);
