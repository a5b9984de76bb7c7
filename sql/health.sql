-- Health records and the slots that wait to be scored.

-- name: health.at
select overall_score, risk_level, month, uv_health, lamp_health, power_efficiency, thermal_health
from health where source = $source and at_ms = $at_ms;

-- name: health.put
-- Scoring again replaces in place.
insert into health
  (at_ms, source, overall_score, risk_level, month,
   uv_health, lamp_health, power_efficiency, thermal_health)
values
  ($at_ms, $source, $overall_score, $risk_level, $month,
   $uv_health, $lamp_health, $power_efficiency, $thermal_health)
on conflict (source, at_ms) do update set
  overall_score = excluded.overall_score, risk_level = excluded.risk_level,
  month = excluded.month, uv_health = excluded.uv_health, lamp_health = excluded.lamp_health,
  power_efficiency = excluded.power_efficiency, thermal_health = excluded.thermal_health;

-- name: health.remove
-- A slot in which, as it turns out, no water was treated.
delete from health where source = 'ballastd' and at_ms = $at_ms;

-- name: health.newest
-- Newest first, of one time the one made aboard first.
select at_ms, source, overall_score, risk_level, month,
  uv_health, lamp_health, power_efficiency, thermal_health
from health order by at_ms desc, source limit $limit;

-- name: health.latest
-- The newest of one source.
select at_ms, source, overall_score, risk_level, month,
  uv_health, lamp_health, power_efficiency, thermal_health
from health where source = $source order by at_ms desc limit 1;

-- name: health.buckets
-- Buckets of $width_ms, newest first. Where a bucket has records made aboard only those count.
with per_source as materialized (
  select (at_ms / $width_ms) * $width_ms as start_ms, source, count(*) as count,
    avg(overall_score) as overall_score, avg(uv_health) as uv_health,
    avg(lamp_health) as lamp_health, avg(power_efficiency) as power_efficiency,
    avg(thermal_health) as thermal_health
  from health where at_ms between $start_ms and $end_ms group by 1, 2
)
select * from per_source
where source = 'ballastd' or not exists (
  select 1 from per_source as other
  where other.start_ms = per_source.start_ms and other.source = 'ballastd'
)
order by start_ms desc limit $limit;

-- name: health.mark_due
-- The slot's readings changed: it has to be scored, or scored again.
insert into health_due (start_ms, revision) values ($start_ms, 1)
on conflict (start_ms) do update set revision = revision + 1;

-- name: health.due
-- Closed slots that wait to be scored.
select start_ms, revision from health_due
where start_ms <= $start_ms order by start_ms limit $limit;

-- name: health.settle
-- The slot was scored as of $revision; changed since, it stays due.
delete from health_due where start_ms = $start_ms and revision = $revision;
