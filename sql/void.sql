-- Spans whose readings, or whose events, are hidden.

-- name: void.active
-- Those that hide readings which are still kept, by their beginning.
select start_ms, end_ms from void
where undone_ms is null
  and end_ms >= coalesce((select value from mark where name = 'raw_from_ms'), 0)
order by start_ms;

-- name: void.count_of_events
select count(*) as count from event_void where undone_ms is null;

-- name: void.all
-- Newest first.
select id, start_ms, end_ms, 'readings' as what, reason, made_ms, undone_ms from void
union all
select id, start_ms, end_ms, 'events', reason, made_ms, undone_ms from event_void
order by id desc;

-- name: void.at
select id, start_ms, end_ms, 'readings' as what, reason, made_ms, undone_ms from void
where id = $id
union all
select id, start_ms, end_ms, 'events', reason, made_ms, undone_ms from event_void where id = $id;

-- name: void.next_id
select 1 + coalesce(max(id), 0) as id
from (select id from void union all select id from event_void);

-- name: void.add_readings
insert into void (id, start_ms, end_ms, reason, made_ms)
values ($id, $start_ms, $end_ms, $reason, $made_ms);

-- name: void.add_events
insert into event_void (id, start_ms, end_ms, reason, made_ms)
values ($id, $start_ms, $end_ms, $reason, $made_ms);

-- name: void.undo_readings
update void set undone_ms = $undone_ms where id = $id;

-- name: void.undo_events
update event_void set undone_ms = $undone_ms where id = $id;
