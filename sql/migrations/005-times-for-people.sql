-- For people who ask by SQL: sealed readings are found by their times, and views print times. A
-- range is searched from either side. Our own statements don't use these indexes: no proof compares
-- them with their rows before `verify` does.
create index segment_by_start on segment (first_ms, last_ms);
create index segment_by_end on segment (last_ms, first_ms);

-- First and last time of the readings in each segment. Their values are packed; has_values is 0
-- where they have expired.
create view segment_time as
select id, strftime('%Y-%m-%dT%H:%M:%fZ', first_ms / 1000.0, 'unixepoch') as first,
  strftime('%Y-%m-%dT%H:%M:%fZ', last_ms / 1000.0, 'unixepoch') as last,
  first_ms, last_ms, count as readings, payload is not null as has_values
from segment;

-- Spans of time whose readings are hidden. One under way hides as far as it has come.
create view hidden_span as
select start_ms, iif(is_under_way, hides_to_ms, end_ms) as end_ms, reason from (
  select void.start_ms, void.end_ms, void.reason, void.undone_ms, hides_to.value as hides_to_ms,
    void.id is under_way.value as is_under_way
  from void
  left join mark as under_way on under_way.name = 'void_under_way'
  left join mark as hides_to on hides_to.name = 'void_hides_to_ms'
)
where undone_ms is null or is_under_way;

-- Readings that aren't sealed yet and aren't hidden, by their times alone: values are packed.
create view unsealed_time as
select at_ms, strftime('%Y-%m-%dT%H:%M:%fZ', at_ms / 1000.0, 'unixepoch') as at, supersedes
from reading where not exists (
  select 1 from hidden_span where reading.at_ms between hidden_span.start_ms and hidden_span.end_ms
);

-- Hours and days (UTC) as the API sums them up, with means that aren't rounded. The values are made
-- of the sealed readings, which `readings` counts; `not_sealed` counts those that aren't in the
-- values yet. An hour or a day that has only such readings has no values.
create view reading_sum as
select interval, strftime('%Y-%m-%dT%H:%M:%fZ', start_ms / 1000.0, 'unixepoch') as start, start_ms,
  count as readings,
  (select count(*) from unsealed_time where at_ms between start_ms
    and start_ms + iif(interval = 'hour', 3600000, 86400000) - 1) as not_sealed,
  UVR_INTENSITY_sum / UVR_INTENSITY_n as UVR_INTENSITY, UVR_INTENSITY_min, UVR_INTENSITY_max,
  UVR_POWER_OUTPUT_sum / UVR_POWER_OUTPUT_n as UVR_POWER_OUTPUT, UVR_POWER_OUTPUT_min,
  UVR_POWER_OUTPUT_max, UVR_WATER_TEMP_sum / UVR_WATER_TEMP_n as UVR_WATER_TEMP,
  UVR_WATER_TEMP_min, UVR_WATER_TEMP_max, SYS_FLOW_RATE_sum / SYS_FLOW_RATE_n as SYS_FLOW_RATE,
  SYS_FLOW_RATE_min, SYS_FLOW_RATE_max, SYS_PRESSURE_sum / SYS_PRESSURE_n as SYS_PRESSURE,
  SYS_PRESSURE_min, SYS_PRESSURE_max,
  AVG_LAMP_EFFICIENCY_sum / AVG_LAMP_EFFICIENCY_n as AVG_LAMP_EFFICIENCY,
  AVG_LAMP_EFFICIENCY_min, AVG_LAMP_EFFICIENCY_max, FAILED_LAMP_COUNT_max as FAILED_LAMP_COUNT,
  LAMP_01_EFFICIENCY_sum / LAMP_01_EFFICIENCY_n as LAMP_01_EFFICIENCY,
  LAMP_01_POWER_sum / LAMP_01_POWER_n as LAMP_01_POWER, LAMP_01_RUNTIME_last as LAMP_01_RUNTIME,
  LAMP_02_EFFICIENCY_sum / LAMP_02_EFFICIENCY_n as LAMP_02_EFFICIENCY,
  LAMP_02_POWER_sum / LAMP_02_POWER_n as LAMP_02_POWER, LAMP_02_RUNTIME_last as LAMP_02_RUNTIME,
  LAMP_03_EFFICIENCY_sum / LAMP_03_EFFICIENCY_n as LAMP_03_EFFICIENCY,
  LAMP_03_POWER_sum / LAMP_03_POWER_n as LAMP_03_POWER, LAMP_03_RUNTIME_last as LAMP_03_RUNTIME,
  LAMP_04_EFFICIENCY_sum / LAMP_04_EFFICIENCY_n as LAMP_04_EFFICIENCY,
  LAMP_04_POWER_sum / LAMP_04_POWER_n as LAMP_04_POWER, LAMP_04_RUNTIME_last as LAMP_04_RUNTIME,
  LAMP_05_EFFICIENCY_sum / LAMP_05_EFFICIENCY_n as LAMP_05_EFFICIENCY,
  LAMP_05_POWER_sum / LAMP_05_POWER_n as LAMP_05_POWER, LAMP_05_RUNTIME_last as LAMP_05_RUNTIME,
  LAMP_06_EFFICIENCY_sum / LAMP_06_EFFICIENCY_n as LAMP_06_EFFICIENCY,
  LAMP_06_POWER_sum / LAMP_06_POWER_n as LAMP_06_POWER, LAMP_06_RUNTIME_last as LAMP_06_RUNTIME,
  LAMP_07_EFFICIENCY_sum / LAMP_07_EFFICIENCY_n as LAMP_07_EFFICIENCY,
  LAMP_07_POWER_sum / LAMP_07_POWER_n as LAMP_07_POWER, LAMP_07_RUNTIME_last as LAMP_07_RUNTIME,
  LAMP_08_EFFICIENCY_sum / LAMP_08_EFFICIENCY_n as LAMP_08_EFFICIENCY,
  LAMP_08_POWER_sum / LAMP_08_POWER_n as LAMP_08_POWER, LAMP_08_RUNTIME_last as LAMP_08_RUNTIME,
  LAMP_09_EFFICIENCY_sum / LAMP_09_EFFICIENCY_n as LAMP_09_EFFICIENCY,
  LAMP_09_POWER_sum / LAMP_09_POWER_n as LAMP_09_POWER, LAMP_09_RUNTIME_last as LAMP_09_RUNTIME,
  LAMP_10_EFFICIENCY_sum / LAMP_10_EFFICIENCY_n as LAMP_10_EFFICIENCY,
  LAMP_10_POWER_sum / LAMP_10_POWER_n as LAMP_10_POWER, LAMP_10_RUNTIME_last as LAMP_10_RUNTIME,
  LAMP_11_EFFICIENCY_sum / LAMP_11_EFFICIENCY_n as LAMP_11_EFFICIENCY,
  LAMP_11_POWER_sum / LAMP_11_POWER_n as LAMP_11_POWER, LAMP_11_RUNTIME_last as LAMP_11_RUNTIME,
  LAMP_12_EFFICIENCY_sum / LAMP_12_EFFICIENCY_n as LAMP_12_EFFICIENCY,
  LAMP_12_POWER_sum / LAMP_12_POWER_n as LAMP_12_POWER, LAMP_12_RUNTIME_last as LAMP_12_RUNTIME,
  LAMP_13_EFFICIENCY_sum / LAMP_13_EFFICIENCY_n as LAMP_13_EFFICIENCY,
  LAMP_13_POWER_sum / LAMP_13_POWER_n as LAMP_13_POWER, LAMP_13_RUNTIME_last as LAMP_13_RUNTIME,
  LAMP_14_EFFICIENCY_sum / LAMP_14_EFFICIENCY_n as LAMP_14_EFFICIENCY,
  LAMP_14_POWER_sum / LAMP_14_POWER_n as LAMP_14_POWER, LAMP_14_RUNTIME_last as LAMP_14_RUNTIME,
  LAMP_15_EFFICIENCY_sum / LAMP_15_EFFICIENCY_n as LAMP_15_EFFICIENCY,
  LAMP_15_POWER_sum / LAMP_15_POWER_n as LAMP_15_POWER, LAMP_15_RUNTIME_last as LAMP_15_RUNTIME,
  LAMP_16_EFFICIENCY_sum / LAMP_16_EFFICIENCY_n as LAMP_16_EFFICIENCY,
  LAMP_16_POWER_sum / LAMP_16_POWER_n as LAMP_16_POWER, LAMP_16_RUNTIME_last as LAMP_16_RUNTIME
from bucket
union all
select interval, strftime('%Y-%m-%dT%H:%M:%fZ', start_ms / 1000.0, 'unixepoch'),
  start_ms, 0, not_sealed,
  null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
  null, null, null
from (
  select interval, at_ms - at_ms % width_ms as start_ms, count(*) as not_sealed
  from (select 'hour' as interval, 3600000 as width_ms union all select 'day', 86400000)
  join unsealed_time group by 1, 2
) as unsealed
where not exists (
  select 1 from bucket
  where bucket.interval = unsealed.interval and bucket.start_ms = unsealed.start_ms
);

create view reading_hour as
select * from reading_sum where interval = 'hour';

create view reading_day as
select * from reading_sum where interval = 'day';
