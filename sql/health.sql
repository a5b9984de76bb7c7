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

-- name: health.put
-- Scoring again replaces in place.
insert or replace into health_aboard
  (at_ms, overall_score, uv_health, lamp_health, power_efficiency, thermal_health)
values
  ($at_ms, $overall_score, $uv_health, $lamp_health, $power_efficiency, $thermal_health);

-- name: health.remove
-- A slot in which, as it turns out, no water was treated.
delete from health_aboard where at_ms = $at_ms;

-- name: health.newest
-- Newest first, of one time the one made aboard first ('ballastd' < 'mqtt'). Each table is cut by
-- itself first, or all of both would be sorted.
with aboard as (select at_ms from health_aboard order by at_ms desc limit $limit),
received as (select at_ms from health_received order by at_ms desc limit $limit)
select * from health
where (source = 'ballastd' and at_ms >= (select min(at_ms) from aboard))
  or (source = 'mqtt' and at_ms >= (select min(at_ms) from received))
order by at_ms desc, source limit $limit;

-- name: health.latest
-- The newest of one source, by its time: ordered, all of both tables would be sorted.
select * from health where source = $source and at_ms = iif(
  $source = 'ballastd',
  (select max(at_ms) from health_aboard),
  (select max(at_ms) from health_received)
);

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
insert into health_due (start_ms) values ($start_ms);

-- name: health.due
-- The slots that wait to be scored.
select start_ms from health_due;

-- name: health.settle
delete from health_due where start_ms = $start_ms;
