-- Forecasts made aboard.

-- name: forecast.put
-- Forecasting again as of the same reading (the engineer has spoken, a late reading came) replaces.
insert or replace into forecast (at_ms, forecasts) values ($at_ms, $forecasts);

-- name: forecast.newest
-- Those of a range, newest first.
select at_ms, forecasts from forecast where at_ms between $start_ms and $end_ms
order by at_ms desc;

-- name: forecast.in_range
-- In order of time.
select at_ms, forecasts from forecast where at_ms between $start_ms and $end_ms order by at_ms;
