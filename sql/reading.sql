-- Hot readings: those that aren't sealed yet.

-- name: reading.at
-- One reading by its time, to merge with.
select at_ms, received_ms, clock_trusted, supersedes, row from reading where at_ms = $at_ms;

-- name: reading.put
-- Stores a reading, new or merged.
insert into reading (at_ms, received_ms, clock_trusted, supersedes, row)
values ($at_ms, $received_ms, $clock_trusted, $supersedes, $row)
on conflict (at_ms) do update set row = excluded.row;

-- name: reading.all
-- All hot readings in order of time; never more than a few thousand.
select at_ms, received_ms, clock_trusted, supersedes, row from reading order by at_ms;

-- name: reading.newest
select max(at_ms) as at_ms from reading;

-- name: reading.by_receipt
-- All hot readings in order of receipt.
select at_ms, received_ms, clock_trusted, supersedes, row from reading order by received_ms;

-- name: reading.bytes
select coalesce(sum(length(row)), 0) as bytes from reading;

-- name: reading.remove
-- Removes readings that were sealed.
delete from reading where at_ms between $start_ms and $end_ms;

-- name: reading.part
-- The oldest hot readings of a range, to be sealed.
select at_ms, received_ms, clock_trusted, supersedes, row from reading
where at_ms between $start_ms and $end_ms order by at_ms limit $limit;

-- name: reading.times
select at_ms from reading where at_ms between $start_ms and $end_ms order by at_ms;

-- name: reading.count
select count(*) as count from reading where at_ms between $start_ms and $end_ms;
