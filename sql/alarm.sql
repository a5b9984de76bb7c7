-- Alarms, ballastd's own and the treatment system's.

-- name: alarm.active
-- What is wrong now, by ballastd's own finding.
select code, about from alarm where cleared_ms is null;

-- name: alarm.raise
insert into alarm (code, about, raised_ms, description, data)
values ($code, $about, $raised_ms, $description, $data);

-- name: alarm.clear
update alarm set cleared_ms = max($cleared_ms, raised_ms)
where code = $code and about = $about and cleared_ms is null;

-- name: alarm.newest
-- Newest first; each table is cut by itself first, or all of both would be sorted.
with own as (
  select raised_ms as at_ms, cleared_ms, 'ballastd' as source,
    iif(cleared_ms is null, 'active', 'cleared') as state, description, data, id
  from alarm where raised_ms between $start_ms and $end_ms
    and ($state is null or $state = iif(cleared_ms is null, 'active', 'cleared'))
  order by raised_ms desc, id desc limit $limit
), received as (
  select at_ms, null as cleared_ms, 'plc' as source, 'unknown' as state, description, data, id
  from event where event_type = 'ALARM_TRIGGERED' and source <> 'ballastd'
    and at_ms between $start_ms and $end_ms and ($state is null or $state = 'unknown')
  order by at_ms desc, id desc limit $limit
)
select * from own union all select * from received
order by at_ms desc, source, id desc limit $limit;
