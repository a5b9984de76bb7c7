-- Forecasts made aboard.

-- name: forecast.remove
-- Forecasting again as of the same reading (the engineer has spoken, a late reading came) replaces.
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
-- Those of a range, newest first, then by lamp, without those that a void hides.
select * from shown_forecast where at_ms between $start_ms and $end_ms
order by at_ms desc, lamp limit $limit;

-- name: forecast.of_lamps
-- Those of a range for some lamps, in order of time.
select * from forecast where at_ms between $start_ms and $end_ms
  and lamp in (select value from json_each($lamps))
order by at_ms, lamp;

-- name: forecast.times
-- The times as of which lamps were forecast.
select at_ms from forecast union select at_ms from lamp_run;

-- name: forecast.runs
-- The times of forecasts since one, without those that a void hides.
select distinct at_ms from shown_forecast where at_ms >= $start_ms order by at_ms;
