-- Forecasts.

-- name: prediction.at
select predictions, current_state from prediction
where at_ms = $at_ms and component_id = $component_id and source = $source;

-- name: prediction.add
insert into prediction (at_ms, component_id, source, predictions, current_state)
values ($at_ms, $component_id, $source, $predictions, $current_state);

-- name: prediction.newest
-- Newest first, then by lamp.
select at_ms, component_id, predictions, current_state from prediction
order by at_ms desc, component_id, source limit $limit;

-- name: prediction.put_aboard
-- Forecasting again as of the same reading (the engineer has spoken, a late reading came) replaces.
insert or replace into prediction (at_ms, component_id, source, predictions, current_state)
values ($at_ms, $component_id, 'ballastd', $predictions, $current_state);

-- name: prediction.aboard
-- Those made aboard, as the track record scores them.
select at_ms, component_id, predictions, current_state from prediction
where source = 'ballastd' order by at_ms, component_id;
