-- Events, health records, forecasts, alarms and gaps of a range in order of time. Each page begins
-- after the last record of the page before, so that no statement stays open while a slow client is
-- served.

-- name: record.events
select id, at_ms from shown_event
where (at_ms, id) > ($at_ms, $id) and at_ms between $start_ms and $end_ms
order by at_ms, id limit $limit;

-- name: record.events_stored
-- Events including those that a void hides.
select id, at_ms,
  exists (
    select 1 from event_void where undone_ms is null
      and event.at_ms between event_void.start_ms and event_void.end_ms
  ) as voided
from event where (at_ms, id) > ($at_ms, $id) and at_ms between $start_ms and $end_ms
order by at_ms, id limit $limit;

-- name: record.health
select * from health where at_ms > $at_ms and at_ms <= $end_ms order by at_ms limit $limit;

-- name: record.health_received
select at_ms, overall_score, risk_level, month,
  uv_health, lamp_health, power_efficiency, thermal_health
from health_received where at_ms > $at_ms and at_ms <= $end_ms order by at_ms limit $limit;

-- name: record.forecasts
select * from shown_forecast
where (at_ms, lamp) > ($at_ms, $lamp) and at_ms between $start_ms and $end_ms
order by at_ms, lamp limit $limit;

-- name: record.predictions
select at_ms, component_id, predictions, current_state from prediction
where (at_ms, component_id) > ($at_ms, $component_id)
  and at_ms between $start_ms and $end_ms
order by at_ms, component_id limit $limit;

-- name: record.alarms
-- Alerts whose rises, from the first to the last, touch the range, in order of their first rise.
select id, raised_ms as at_ms from shown_alarm
where (raised_ms, id) > ($at_ms, $id) and raised_ms <= $end_ms and last_ms >= $start_ms
order by raised_ms, id limit $limit;

-- name: record.gaps
-- Gaps that touch the range.
select start_ms as at_ms, start_ms, end_ms, operation_type, known_by from gap
where start_ms > $at_ms and start_ms <= $end_ms and end_ms >= $start_ms
order by start_ms limit $limit;

-- name: record.operations
-- Operations that touch the range.
select id, start_ms as at_ms from operation
where (start_ms, id) > ($at_ms, $id) and start_ms <= $end_ms
  and (end_ms is null or end_ms >= $start_ms)
order by start_ms, id limit $limit;

-- name: export.places
-- Number of records of a kind in a file of the range, and the times of some of them, spread evenly
-- over the file: $places, or up to twice as many.
select at_ms, rows from (
  select at_ms, count(*) over () as rows, row_number() over (order by at_ms) as row from (
    select at_ms from shown_event where $kind = 'events'
    union all select at_ms from health where $kind = 'health'
    union all select at_ms from health_received where $kind = 'health'
    union all select at_ms from shown_forecast where $kind = 'predictions'
    union all select at_ms from prediction where $kind = 'predictions'
    union all select max(raised_ms, $start_ms) from shown_alarm
      where $kind = 'alarms' and last_ms >= $start_ms
    union all select max(start_ms, $start_ms) from gap
      where $kind = 'gaps' and end_ms >= $start_ms
    union all select max(start_ms, $start_ms) from operation
      where $kind = 'operations' and (end_ms is null or end_ms >= $start_ms)
  ) where at_ms between $start_ms and $end_ms
) where (row - 1) % max(1, rows / $places) = 0 order by at_ms;
