-- Events.

-- name: event.add
-- Stores an event; a stored one changes nothing.
insert into event
  (at_ms, event_type, description, data, source, received_ms, clock_trusted, identity, hash)
values
  ($at_ms, $event_type, $description, $data, $source, $received_ms, $clock_trusted, $identity,
   $hash)
on conflict (identity) do nothing;

-- name: event.same
-- The id of an event that is already stored.
select id from event where identity = $identity;

-- name: event.newest
-- Events of a range, newest first, those of one time in the order of storing. The end of an alarm
-- is left out, since its alert has it.
select id, at_ms from shown_event
where event_type <> 'ALARM_CLEARED' and at_ms between $start_ms and $end_ms
order by at_ms desc, id desc limit $limit;

-- name: event.newest_of_type
select id, at_ms from shown_event
where event_type = $event_type and at_ms between $start_ms and $end_ms
order by at_ms desc, id desc limit $limit;

-- name: event.stored
select at_ms, event_type, description, data, source, identity from event where id = $id;

-- name: event.last_id
select coalesce(max(id), 0) as id from event;

-- name: event.shown_after
-- Events stored after one.
select id, at_ms from shown_event where id > $id and event_type <> 'ALARM_CLEARED'
order by id limit $limit;

-- name: event.chain
-- The next links of the chain, to be verified.
select id, at_ms, event_type, description, data, source, received_ms, clock_trusted, identity, hash
from event where id > $id order by id limit $limit;

-- name: event.count_between
select count(*) as count from event where at_ms between $start_ms and $end_ms;

-- name: event.last
select max(at_ms) as at_ms from event;

-- name: event.process_times
-- Times of the starts and stops in a range.
select at_ms from event
where event_type in ('PROCESS_START', 'PROCESS_STOP') and at_ms between $start_ms and $end_ms
order by at_ms;

-- name: event.alarm_times
-- Times of the alarms in a range.
select at_ms from event
where event_type = 'ALARM_TRIGGERED' and at_ms between $start_ms and $end_ms
order by at_ms;

-- name: event.processes
-- All starts and stops of operations up to a time, in their order.
select id, at_ms, event_type from shown_event
where event_type in ('PROCESS_START', 'PROCESS_STOP') and at_ms <= $end_ms
order by at_ms, id;
