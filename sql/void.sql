-- Voids: spans whose readings or events are hidden.

-- name: void.active
-- The voids that hide readings which are still kept, by their beginning. A void that is being made
-- or undone hides as far as it has progressed.
with hiding as (
  select start_ms, undone_ms, void.id is under_way.value as is_under_way,
    iif(void.id is under_way.value, hides_to.value, end_ms) as end_ms
  from void
  left join mark as under_way on under_way.name = 'void_under_way'
  left join mark as hides_to on hides_to.name = 'void_hides_to_ms'
)
select start_ms, end_ms from hiding
where (undone_ms is null or is_under_way)
  and end_ms >= start_ms
  and end_ms >= coalesce((select value from mark where name = 'raw_from_ms'), 0)
order by start_ms;

-- name: void.under_way
-- The void that is being made or undone, and the time up to which it hides.
select void.id, start_ms, end_ms, undone_ms, hides_to.value as hides_to_ms
from mark as under_way
join void on void.id = under_way.value
join mark as hides_to on hides_to.name = 'void_hides_to_ms'
where under_way.name = 'void_under_way';

-- name: void.count_of_events
select count(*) as count from event_void where undone_ms is null;

-- name: void.all
-- All voids, newest first.
select id, start_ms, end_ms, 'readings' as what, reason, made_ms, undone_ms,
  exists (select 1 from mark where name = 'void_under_way' and value = void.id) as is_under_way
from void
union all
select id, start_ms, end_ms, 'events', reason, made_ms, undone_ms, 0 from event_void
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
