-- Events.

-- name: event.add
-- The same event again changes nothing.
insert into event
  (at_ms, event_type, description, data, source, received_ms, clock_trusted, identity, hash)
values
  ($at_ms, $event_type, $description, $data, $source, $received_ms, $clock_trusted, $identity,
   $hash)
on conflict (identity) do nothing;

-- name: event.same
-- Whether an event is stored.
select id from event where identity = $identity;

-- name: event.newest
-- Those of a range, newest first; events of one time by when they were stored. The end of an alarm
-- is told with its alert.
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
-- Those stored after one.
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
-- When operations began or ended in a range.
select at_ms from event
where event_type in ('PROCESS_START', 'PROCESS_STOP') and at_ms between $start_ms and $end_ms
order by at_ms;

-- name: event.alarm_times
-- When alarms rose in a range.
select at_ms from event
where event_type = 'ALARM_TRIGGERED' and at_ms between $start_ms and $end_ms
order by at_ms;

-- name: event.processes
-- Ids of all starts and stops of operations up to a time, in their order.
select id, at_ms, event_type from shown_event
where event_type in ('PROCESS_START', 'PROCESS_STOP') and at_ms <= $end_ms
order by at_ms, id;
