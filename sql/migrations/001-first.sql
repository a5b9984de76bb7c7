-- "blst": tells file(1), and anybody else, whose database this is.
pragma application_id = 1651274612;

-- Readings, identified by their time. `row` holds the values in the catalogue's order in the
-- compact form of src/sqlite/row.ts; received_ms and clock_trusted are those of the first receipt.
create table reading (
  at_ms integer primary key,
  received_ms integer not null,
  clock_trusted integer not null,
  row blob not null
);

-- What an hour and a day (UTC) of readings come to: `count` readings, the last of them at last_ms,
-- and for each aggregated field n, sum, min, max, last as doubles (src/sqlite/bucket-row.ts).
create table bucket_hour (
  start_ms integer primary key,
  count integer not null,
  last_ms integer not null,
  fields blob not null
);
create table bucket_day (
  start_ms integer primary key,
  count integer not null,
  last_ms integer not null,
  fields blob not null
);

-- Events are never changed. `identity` is a hash over time, type, description and data.
create table event (
  id integer primary key,
  at_ms integer not null,
  event_type text not null,
  description text not null,
  data text not null,
  source text not null,
  received_ms integer not null,
  clock_trusted integer not null,
  identity blob not null unique
);
create index event_by_time on event (at_ms, id);
create index event_by_type on event (event_type, at_ms, id);

-- Health records, scored aboard (source ballastd) or received (source mqtt).
create table health (
  at_ms integer not null,
  source text not null,
  overall_score real,
  risk_level text,
  month integer not null,
  uv_health real,
  lamp_health real,
  power_efficiency real,
  thermal_health real,
  primary key (source, at_ms)
) without rowid;
create index health_by_time on health (at_ms, source);

-- Slots of 15 minutes whose readings changed since they were scored. `revision` grows with each
-- change, so that scoring can tell whether what it read is still what is there.
create table health_due (
  start_ms integer primary key,
  revision integer not null
);

-- Forecasts; `predictions` and `current_state` are JSON objects.
create table prediction (
  at_ms integer not null,
  component_id text not null,
  source text not null,
  predictions text not null,
  current_state text not null,
  primary key (at_ms, component_id, source)
) without rowid;

-- Interface B.
create table plant (
  id integer primary key,
  name text not null,
  tag text
);

-- What couldn't be taken. The same topic, reason and content again is counted; `payload` is null
-- for entries that came when the quarantine was full: hash and size remain.
create table quarantine (
  id integer primary key,
  topic text not null,
  reason text not null,
  detail text not null,
  payload blob,
  payload_bytes integer not null,
  payload_hash blob not null,
  first_received_ms integer not null,
  last_received_ms integer not null,
  clock_trusted integer not null,
  count integer not null,
  unique (payload_hash, topic, reason)
);

-- Messages that had no time of their own, by client, packet id and payload: a redelivery of one
-- must find its first delivery.
create table receipt (
  identity blob primary key,
  received_ms integer not null
) without rowid;
create index receipt_by_time on receipt (received_ms);

-- Jobs that did something: when last, and what.
create table job_run (
  job text primary key,
  started_ms integer not null,
  ended_ms integer not null,
  result text not null
) without rowid;

-- Single facts: quarantine_bytes, newest_receipt_ms.
create table mark (
  name text primary key,
  value integer not null
) without rowid;
