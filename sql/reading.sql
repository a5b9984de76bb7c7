-- Raw readings.

-- name: reading.at
-- One reading by its time, to merge with.
select at_ms, received_ms, clock_trusted, row from reading where at_ms = $at_ms;

-- name: reading.put
-- Stores a reading, new or merged.
insert into reading (at_ms, received_ms, clock_trusted, row)
values ($at_ms, $received_ms, $clock_trusted, $row)
on conflict (at_ms) do update set row = excluded.row;

-- name: reading.page
-- The next readings of a range, both ends included.
select at_ms, received_ms, clock_trusted, row from reading
where at_ms between $start_ms and $end_ms
order by at_ms limit $limit offset $offset;

-- name: reading.latest
-- The newest reading.
select at_ms, received_ms, clock_trusted, row from reading order by at_ms desc limit 1;

-- name: reading.count
-- How many readings lie in part of an hour; whole hours are counted by their buckets.
select count(*) as count from reading where at_ms between $start_ms and $end_ms;
