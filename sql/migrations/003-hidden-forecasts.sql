-- Forecasts as they are answered: without those as of readings that are hidden.
create index void_active on void (start_ms, end_ms) where undone_ms is null;

create view shown_forecast as
select * from forecast where not exists (
  select 1 from void where undone_ms is null
    and forecast.at_ms between void.start_ms and void.end_ms
);

-- The newest forecast of each lamp that came over MQTT is asked for with each reading that is told.
create index prediction_lamp on prediction (component_id, at_ms);
