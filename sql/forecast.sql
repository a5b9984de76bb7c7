-- Forecasts made aboard.

-- name: forecast.put
-- Forecasting again as of the same reading (the engineer has spoken, a late reading came) replaces.
insert or replace into forecast (at_ms, forecasts) values ($at_ms, $forecasts);

-- name: forecast.newest
-- Newest first.
select at_ms, forecasts from forecast order by at_ms desc;

-- name: forecast.count
-- How many runs there are in a range; $limit at the most are counted.
select count(*) as count from (
  select 1 from forecast where at_ms between $start_ms and $end_ms limit $limit
);

-- name: forecast.from
-- The first at or after an instant.
select at_ms, forecasts from forecast where at_ms >= $start_ms order by at_ms limit 1;
