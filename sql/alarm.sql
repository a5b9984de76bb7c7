-- Alarms, ballastd's own and the treatment system's.

-- name: alarm.active
-- What is wrong now, by ballastd's own finding.
select code, about from alarm where cleared_ms is null;

-- name: alarm.active_count
-- How many of a code are active.
select count(*) as count from alarm where code = $code and cleared_ms is null;

-- name: alarm.raise
insert into alarm (code, about, raised_ms, description, data)
values ($code, $about, $raised_ms, $description, $data);

-- name: alarm.clear
update alarm set cleared_ms = max($cleared_ms, raised_ms)
where code = $code and about = $about and cleared_ms is null;

-- name: alarm.clear_all
-- Every alarm of a code that is active.
update alarm set cleared_ms = max($cleared_ms, raised_ms)
where code = $code and cleared_ms is null;

-- name: alarm.again
-- One that is active rose again.
update alarm
set data = json_set(data, '$.repeated', coalesce(json_extract(data, '$.repeated'), 0) + 1)
where code = $code and about = $about and cleared_ms is null;

-- name: alarm.resume
-- One that has cleared goes on, and counts how often it rose again: the newest of a span.
update alarm set cleared_ms = null,
  data = json_set(data, '$.repeated', coalesce(json_extract(data, '$.repeated'), 0) + 1)
where id = (
  select id from alarm
  where raised_ms between $since_ms and $until_ms and code = $code and about = $about
  order by raised_ms desc limit 1
);

-- name: alarm.count
-- How many of a code rose in a span.
select count(*) as count from alarm
where raised_ms between $since_ms and $until_ms and code = $code;

-- name: alarm.newest
-- Sources and ids, newest first; each table is cut by itself first, or all of both would be sorted.
with own as (
  select raised_ms as at_ms, 'ballastd' as source, id
  from alarm where raised_ms between $start_ms and $end_ms
    and ($state is null or $state = iif(cleared_ms is null, 'active', 'cleared'))
    and (cleared_ms is null or not exists (
      select 1 from event_void where undone_ms is null
        and alarm.raised_ms between event_void.start_ms and event_void.end_ms
    ))
  order by raised_ms desc, id desc limit $limit
), received as (
  select at_ms, 'plc' as source, id
  from shown_event where event_type = 'ALARM_TRIGGERED' and source <> 'ballastd'
    and at_ms between $start_ms and $end_ms and ($state is null or $state = 'unknown')
  order by at_ms desc, id desc limit $limit
)
select * from own union all select * from received
order by at_ms desc, source, id desc limit $limit;

-- name: alarm.own
select raised_ms as at_ms, cleared_ms, 'ballastd' as source,
  iif(cleared_ms is null, 'active', 'cleared') as state, description, data, null as identity
from alarm where id = $id;

-- name: alarm.received
select at_ms, null as cleared_ms, 'plc' as source, 'unknown' as state, description, data, identity
from event where id = $id;

-- name: alarm.received_codes
-- Beginnings only: descriptions and data may have a megabyte each.
select substr(description, 1, $chars) as description, substr(
  iif(json_valid(data) and json_type(data, '$.code') = 'text', data ->> '$.code', null), 1, $chars
) as code
from shown_event where event_type = 'ALARM_TRIGGERED' and source <> 'ballastd'
  and at_ms >= $start_ms
order by at_ms desc, id desc limit $limit;
