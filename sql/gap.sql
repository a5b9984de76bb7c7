-- Times without readings in operations.

-- name: gap.overlapping
-- Gaps that touch a range, newest first.
select start_ms, end_ms, operation_type, known_by from gap
where start_ms <= $end_ms and end_ms >= $start_ms order by start_ms desc limit $limit;

-- name: gap.ended
-- Gaps ended by a reading of a range, as stored before.
select start_ms, end_ms, until_ms, operation_type, known_by from gap
where until_ms between $start_ms and $end_ms order by start_ms;

-- name: gap.remove
delete from gap where until_ms between $start_ms and $end_ms;

-- name: gap.put
insert into gap (start_ms, end_ms, until_ms, operation_type, known_by)
values ($start_ms, $end_ms, $until_ms, $operation_type, $known_by)
on conflict (start_ms) do update set end_ms = excluded.end_ms, until_ms = excluded.until_ms,
  operation_type = excluded.operation_type, known_by = excluded.known_by;

-- name: event.process_before
-- The newest PROCESS_START or PROCESS_STOP up to a time.
select at_ms, event_type, description, data, identity from shown_event
where event_type = $event_type and at_ms <= $at_ms order by at_ms desc, id desc limit 1;

-- name: event.process_between
select at_ms, event_type, description, data, identity from shown_event
where event_type in ('PROCESS_START', 'PROCESS_STOP')
  and at_ms > $start_ms and at_ms <= $end_ms
order by at_ms, id;
