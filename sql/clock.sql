-- The steps of the clocks, and receipts that don't count.

-- name: clock.add
insert into clock_step (at_ms, clock, from_ms, to_ms, found)
values ($at_ms, $clock, $from_ms, $to_ms, $found);

-- name: clock.newest_found
-- The newest step found in one way, so that a start doesn't record it again.
select from_ms from clock_step where found = $found order by id desc limit 1;

-- name: clock.steps
-- Steps in a range, newest first, in the order in which they were found: a clock that was set back
-- hides nothing.
select at_ms, clock, from_ms, to_ms, found from clock_step
where at_ms between $start_ms and $end_ms order by id desc limit $limit;

-- name: clock.last_back
-- The newest step back of the PLC's clock.
select at_ms, from_ms, to_ms from clock_step
where clock = 'plc' and to_ms < from_ms order by id desc limit 1;

-- name: clock.last_plc
-- The newest step of the PLC's clock.
select at_ms from clock_step where clock = 'plc' order by id desc limit 1;

-- name: clock.touching
-- Steps that touch a range by the clock that was set, in the order in which they were found.
select at_ms, clock, from_ms, to_ms, found from clock_step
where min(from_ms, to_ms) <= $end_ms and max(from_ms, to_ms) >= $start_ms order by id;

-- name: clock.receipts
-- The first and the last receipt after $after_ms that aren't disowned. $sealed is a JSON list of
-- the newest receipts of the segments.
select min(received_ms) as from_ms, max(received_ms) as to_ms from (
  select received_ms from reading where received_ms > $after_ms
  union all
  select value from json_each($sealed) where value > $after_ms
) where not exists (select 1 from disowned where received_ms between from_ms and to_ms);

-- name: clock.disown
insert into disowned (from_ms, to_ms, made_ms, reason)
values ($from_ms, $to_ms, $made_ms, $reason);

-- name: clock.disowned
-- Disowned ranges, newest first.
select id, from_ms, to_ms, made_ms, reason from disowned order by id desc;
