-- Thinned blocks: every 32nd sealed reading, every 256th and so on, for answers that need few.

-- name: thin.spans
-- The blocks of a level that a range cuts, without their readings.
select level, start_ms, end_ms, count from thin
where level = $level and start_ms <= $end_ms and end_ms >= $start_ms order by start_ms;

-- name: thin.all
-- Every block, to be verified.
select level, start_ms, end_ms, count, hash, header, payload from thin order by level, start_ms;

-- name: thin.touched
-- The blocks of all levels that a range cuts.
select level, start_ms, end_ms, count from thin
where start_ms <= $end_ms and end_ms >= $start_ms order by start_ms;

-- name: thin.at
select level, start_ms, end_ms, count, hash, header, payload from thin
where level = $level and start_ms = $start_ms;

-- name: thin.put
insert into thin (level, start_ms, end_ms, count, hash, header, payload)
values ($level, $start_ms, $end_ms, $count, $hash, $header, $payload);

-- name: thin.remove
delete from thin where level = $level and start_ms = $start_ms;

-- name: thin.expire
-- Blocks that lie before $before_ms as a whole.
delete from thin where end_ms < $before_ms;
