-- Health records and the slots that wait to be scored.

-- name: health.received
select overall_score, risk_level, month, uv_health, lamp_health, power_efficiency, thermal_health
from health_received where at_ms = $at_ms;

-- name: health.receive
insert into health_received
  (at_ms, overall_score, risk_level, month,
   uv_health, lamp_health, power_efficiency, thermal_health)
values
  ($at_ms, $overall_score, $risk_level, $month,
   $uv_health, $lamp_health, $power_efficiency, $thermal_health);

-- name: health.day
-- The records scored aboard of a day, packed.
select day_ms, records from health_day where day_ms = $day_ms;

-- name: health.newest_day
-- The newest day of a range, its end not included.
select day_ms, records from health_day
where day_ms >= $from_ms and day_ms < $before_ms order by day_ms desc limit 1;

-- name: health.put_day
-- Scoring again replaces in place.
insert into health_day (day_ms, records) values ($day_ms, $records)
on conflict (day_ms) do update set records = excluded.records;

-- name: health.remove_day
-- None of its slots is left.
delete from health_day where day_ms = $day_ms;

-- name: health.received_newest
-- Those of a range that came over MQTT, newest first.
select at_ms, overall_score, risk_level, month,
  uv_health, lamp_health, power_efficiency, thermal_health
from health_received where at_ms between $start_ms and $end_ms
order by at_ms desc limit $limit;

-- name: health.received_buckets
-- Buckets of $width_ms of those that came over MQTT, newest first.
select (at_ms / $width_ms) * $width_ms as start_ms, count(*) as count,
  avg(overall_score) as overall_score, avg(uv_health) as uv_health,
  avg(lamp_health) as lamp_health, avg(power_efficiency) as power_efficiency,
  avg(thermal_health) as thermal_health
from health_received where at_ms between $start_ms and $end_ms
group by 1 order by 1 desc limit $limit;

-- name: health.mark_due
-- The slot's readings changed: it has to be scored, or scored again.
insert into health_due (start_ms) values ($start_ms) on conflict do nothing;

-- name: health.due
-- The slots that wait to be scored.
select start_ms from health_due;

-- name: health.settle
delete from health_due where start_ms = $start_ms;
