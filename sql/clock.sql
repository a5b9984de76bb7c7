-- The clock ledger.

-- name: clock.add
insert into clock_step (at_ms, clock, from_ms, to_ms, found)
values ($at_ms, $clock, $from_ms, $to_ms, $found);

-- name: clock.newest_found
-- The newest step that was found in one way: a start must not tell the same again.
select from_ms from clock_step where found = $found order by id desc limit 1;

-- name: clock.steps
-- Newest first, by the order in which they were found: a clock that was set back hides nothing.
select at_ms, clock, from_ms, to_ms, found from clock_step
where at_ms between $start_ms and $end_ms order by id desc limit $limit;
