-- Forecasts received over MQTT.

-- name: prediction.at
select predictions, current_state from prediction
where at_ms = $at_ms and component_id = $component_id;

-- name: prediction.add
insert into prediction (at_ms, component_id, predictions, current_state)
values ($at_ms, $component_id, $predictions, $current_state);

-- name: prediction.complete
-- Replaces a forecast with a version that has further members.
update prediction set predictions = $predictions, current_state = $current_state
where at_ms = $at_ms and component_id = $component_id;

-- name: prediction.newest
-- Times and lamps of the forecasts in a range, newest first, then by lamp.
select at_ms, component_id from prediction
where at_ms between $start_ms and $end_ms
order by at_ms desc, component_id limit $limit;

-- name: prediction.newest_of_lamp
-- The time of a lamp's newest forecast in a range; null without one.
select max(at_ms) as at_ms from prediction
where component_id = $component_id and at_ms between $start_ms and $end_ms;
