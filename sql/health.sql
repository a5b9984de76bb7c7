-- Health records: those made aboard, and those received over MQTT.

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

-- name: health.complete
-- Fills the missing values of a received record.
update health_received set
  uv_health = coalesce(uv_health, $uv_health),
  lamp_health = coalesce(lamp_health, $lamp_health),
  power_efficiency = coalesce(power_efficiency, $power_efficiency),
  thermal_health = coalesce(thermal_health, $thermal_health)
where at_ms = $at_ms;

-- name: health.newest
-- The records made aboard in a range, newest first.
select * from health where at_ms between $start_ms and $end_ms order by at_ms desc;

-- name: health.all
-- All records made aboard, also those with times outside of any range.
select * from health;

-- name: health.put
insert into health (
  at_ms, overall_score, risk_level, month,
  uv_health, lamp_health, power_efficiency, thermal_health, checksum
) values (
  $at_ms, $overall_score, $risk_level, $month,
  $uv_health, $lamp_health, $power_efficiency, $thermal_health, $checksum
);

-- name: health.remove
delete from health where at_ms between $start_ms and $end_ms;

-- name: health.received_newest
-- Received records in a range, newest first.
select at_ms, overall_score, risk_level, month,
  uv_health, lamp_health, power_efficiency, thermal_health
from health_received where at_ms between $start_ms and $end_ms
order by at_ms desc limit $limit;

-- name: health.received_buckets
-- Means of received records in buckets of $width_ms, newest first.
select (at_ms / $width_ms) * $width_ms as start_ms, count(*) as count,
  avg(overall_score) as overall_score, avg(uv_health) as uv_health,
  avg(lamp_health) as lamp_health, avg(power_efficiency) as power_efficiency,
  avg(thermal_health) as thermal_health
from health_received where at_ms between $start_ms and $end_ms
group by 1 order by 1 desc limit $limit;
