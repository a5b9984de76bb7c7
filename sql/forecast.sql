-- Forecasts made aboard.

-- name: forecast.remove
-- Removes forecasts as of a reading, so that new ones replace them after the engineer's statement
-- or a late reading.
delete from forecast where at_ms = $at_ms;

-- name: forecast.put
insert into forecast values (
  $at_ms, $lamp, $remaining_useful_life_hours, $failure_probability, $efficiency_percent,
  $remaining_useful_life_hours_p05, $remaining_useful_life_hours_p95, $horizon_hours,
  $basis, $model_version, $expected_end, $remaining_operations, $remaining_days,
  $end_date_p05, $end_date_p50, $end_date_p95,
  $lamp_runtime_hours, $lamp_efficiency_percent, $lamp_status, $lamp_fitted_ms, $checksum
);

-- name: forecast.newest
-- Forecasts of a range, newest first, then by lamp; those that a void hides are left out.
select * from shown_forecast where at_ms between $start_ms and $end_ms
order by at_ms desc, lamp limit $limit;

-- name: forecast.of_lamps
-- Forecasts of a range for some lamps, in order of time.
select * from forecast where at_ms between $start_ms and $end_ms
  and lamp in (select value from json_each($lamps))
order by at_ms, lamp;

-- name: forecast.times
-- All times as of which forecasts were made.
select at_ms from forecast union select at_ms from lamp_run;

-- name: forecast.runs
-- The times of forecasts from one on, without those that a void hides.
select distinct at_ms from shown_forecast where at_ms >= $start_ms order by at_ms;
