-- "blst": tells file(1), and anybody else, whose database this is.
pragma application_id = 1651274612;

-- Hot readings: those that aren't sealed yet, identified by their time. `row` holds the values in
-- the catalogue's order in the compact form of row.ts; received_ms and clock_trusted are
-- those of the first receipt. `supersedes` is 1 where a sealed reading of that time got further
-- fields: the row then holds all of it and counts in its place.
create table reading (
  at_ms integer primary key,
  received_ms integer not null,
  clock_trusted integer not null,
  supersedes integer not null,
  row blob not null
);

-- Sealed readings, one to two thousand a row, column by column (src/codec/). Never
-- changed; where two hold one instant the later counts. Each hash covers the header, the payload's
-- hash and the segment before, so that nothing can be altered, taken out or put in unseen; an
-- expired payload is null, its header stays. `thin` repeats every 32nd reading, cut down to what
-- the runtime analysis needs (src/sqlite/sealed/thin-part.ts). It lies before the payload, so that
-- it is read without it.
create table segment (
  id integer primary key,
  first_ms integer not null,
  last_ms integer not null,
  count integer not null,
  payload_hash blob not null,
  hash blob not null,
  thin blob,
  header blob not null,
  payload blob
);

-- How long each chain is and its last hash: cutting the end of a chain shows.
create table chain_head (
  chain text primary key,
  count integer not null,
  hash blob not null
) without rowid;

-- What the sealed readings of each hour and each day (UTC) come to: `count` distinct readings, the
-- last of them at last_ms, and for each aggregated field how many have it, their sum, least and
-- greatest value, of a counter the last value alone; nulls where none has it. The checksums are
-- explained in src/sqlite/sealed/bucket-row.ts. Rows have ids, for in a table without them rows of
-- this size would take a page each.
create table bucket (
  id integer primary key,
  interval text not null,
  start_ms integer not null,
  start text generated always as (strftime('%Y-%m-%dT%H:%M:%SZ', start_ms / 1000, 'unixepoch')),
  last_ms integer not null,
  count integer not null,
  UVR_INTENSITY_n integer not null,
  UVR_INTENSITY_sum real, UVR_INTENSITY_min real, UVR_INTENSITY_max real,
  UVR_POWER_OUTPUT_n integer not null,
  UVR_POWER_OUTPUT_sum real, UVR_POWER_OUTPUT_min real, UVR_POWER_OUTPUT_max real,
  UVR_WATER_TEMP_n integer not null,
  UVR_WATER_TEMP_sum real, UVR_WATER_TEMP_min real, UVR_WATER_TEMP_max real,
  SYS_FLOW_RATE_n integer not null,
  SYS_FLOW_RATE_sum real, SYS_FLOW_RATE_min real, SYS_FLOW_RATE_max real,
  SYS_PRESSURE_n integer not null,
  SYS_PRESSURE_sum real, SYS_PRESSURE_min real, SYS_PRESSURE_max real,
  AVG_LAMP_EFFICIENCY_n integer not null,
  AVG_LAMP_EFFICIENCY_sum real, AVG_LAMP_EFFICIENCY_min real, AVG_LAMP_EFFICIENCY_max real,
  FAILED_LAMP_COUNT_n integer not null,
  FAILED_LAMP_COUNT_sum real, FAILED_LAMP_COUNT_min real, FAILED_LAMP_COUNT_max real,
  LAMP_01_EFFICIENCY_n integer not null,
  LAMP_01_EFFICIENCY_sum real, LAMP_01_EFFICIENCY_min real, LAMP_01_EFFICIENCY_max real,
  LAMP_01_POWER_n integer not null,
  LAMP_01_POWER_sum real, LAMP_01_POWER_min real, LAMP_01_POWER_max real,
  LAMP_01_RUNTIME_n integer not null,
  LAMP_01_RUNTIME_last real,
  LAMP_02_EFFICIENCY_n integer not null,
  LAMP_02_EFFICIENCY_sum real, LAMP_02_EFFICIENCY_min real, LAMP_02_EFFICIENCY_max real,
  LAMP_02_POWER_n integer not null,
  LAMP_02_POWER_sum real, LAMP_02_POWER_min real, LAMP_02_POWER_max real,
  LAMP_02_RUNTIME_n integer not null,
  LAMP_02_RUNTIME_last real,
  LAMP_03_EFFICIENCY_n integer not null,
  LAMP_03_EFFICIENCY_sum real, LAMP_03_EFFICIENCY_min real, LAMP_03_EFFICIENCY_max real,
  LAMP_03_POWER_n integer not null,
  LAMP_03_POWER_sum real, LAMP_03_POWER_min real, LAMP_03_POWER_max real,
  LAMP_03_RUNTIME_n integer not null,
  LAMP_03_RUNTIME_last real,
  LAMP_04_EFFICIENCY_n integer not null,
  LAMP_04_EFFICIENCY_sum real, LAMP_04_EFFICIENCY_min real, LAMP_04_EFFICIENCY_max real,
  LAMP_04_POWER_n integer not null,
  LAMP_04_POWER_sum real, LAMP_04_POWER_min real, LAMP_04_POWER_max real,
  LAMP_04_RUNTIME_n integer not null,
  LAMP_04_RUNTIME_last real,
  LAMP_05_EFFICIENCY_n integer not null,
  LAMP_05_EFFICIENCY_sum real, LAMP_05_EFFICIENCY_min real, LAMP_05_EFFICIENCY_max real,
  LAMP_05_POWER_n integer not null,
  LAMP_05_POWER_sum real, LAMP_05_POWER_min real, LAMP_05_POWER_max real,
  LAMP_05_RUNTIME_n integer not null,
  LAMP_05_RUNTIME_last real,
  LAMP_06_EFFICIENCY_n integer not null,
  LAMP_06_EFFICIENCY_sum real, LAMP_06_EFFICIENCY_min real, LAMP_06_EFFICIENCY_max real,
  LAMP_06_POWER_n integer not null,
  LAMP_06_POWER_sum real, LAMP_06_POWER_min real, LAMP_06_POWER_max real,
  LAMP_06_RUNTIME_n integer not null,
  LAMP_06_RUNTIME_last real,
  LAMP_07_EFFICIENCY_n integer not null,
  LAMP_07_EFFICIENCY_sum real, LAMP_07_EFFICIENCY_min real, LAMP_07_EFFICIENCY_max real,
  LAMP_07_POWER_n integer not null,
  LAMP_07_POWER_sum real, LAMP_07_POWER_min real, LAMP_07_POWER_max real,
  LAMP_07_RUNTIME_n integer not null,
  LAMP_07_RUNTIME_last real,
  LAMP_08_EFFICIENCY_n integer not null,
  LAMP_08_EFFICIENCY_sum real, LAMP_08_EFFICIENCY_min real, LAMP_08_EFFICIENCY_max real,
  LAMP_08_POWER_n integer not null,
  LAMP_08_POWER_sum real, LAMP_08_POWER_min real, LAMP_08_POWER_max real,
  LAMP_08_RUNTIME_n integer not null,
  LAMP_08_RUNTIME_last real,
  LAMP_09_EFFICIENCY_n integer not null,
  LAMP_09_EFFICIENCY_sum real, LAMP_09_EFFICIENCY_min real, LAMP_09_EFFICIENCY_max real,
  LAMP_09_POWER_n integer not null,
  LAMP_09_POWER_sum real, LAMP_09_POWER_min real, LAMP_09_POWER_max real,
  LAMP_09_RUNTIME_n integer not null,
  LAMP_09_RUNTIME_last real,
  LAMP_10_EFFICIENCY_n integer not null,
  LAMP_10_EFFICIENCY_sum real, LAMP_10_EFFICIENCY_min real, LAMP_10_EFFICIENCY_max real,
  LAMP_10_POWER_n integer not null,
  LAMP_10_POWER_sum real, LAMP_10_POWER_min real, LAMP_10_POWER_max real,
  LAMP_10_RUNTIME_n integer not null,
  LAMP_10_RUNTIME_last real,
  LAMP_11_EFFICIENCY_n integer not null,
  LAMP_11_EFFICIENCY_sum real, LAMP_11_EFFICIENCY_min real, LAMP_11_EFFICIENCY_max real,
  LAMP_11_POWER_n integer not null,
  LAMP_11_POWER_sum real, LAMP_11_POWER_min real, LAMP_11_POWER_max real,
  LAMP_11_RUNTIME_n integer not null,
  LAMP_11_RUNTIME_last real,
  LAMP_12_EFFICIENCY_n integer not null,
  LAMP_12_EFFICIENCY_sum real, LAMP_12_EFFICIENCY_min real, LAMP_12_EFFICIENCY_max real,
  LAMP_12_POWER_n integer not null,
  LAMP_12_POWER_sum real, LAMP_12_POWER_min real, LAMP_12_POWER_max real,
  LAMP_12_RUNTIME_n integer not null,
  LAMP_12_RUNTIME_last real,
  LAMP_13_EFFICIENCY_n integer not null,
  LAMP_13_EFFICIENCY_sum real, LAMP_13_EFFICIENCY_min real, LAMP_13_EFFICIENCY_max real,
  LAMP_13_POWER_n integer not null,
  LAMP_13_POWER_sum real, LAMP_13_POWER_min real, LAMP_13_POWER_max real,
  LAMP_13_RUNTIME_n integer not null,
  LAMP_13_RUNTIME_last real,
  LAMP_14_EFFICIENCY_n integer not null,
  LAMP_14_EFFICIENCY_sum real, LAMP_14_EFFICIENCY_min real, LAMP_14_EFFICIENCY_max real,
  LAMP_14_POWER_n integer not null,
  LAMP_14_POWER_sum real, LAMP_14_POWER_min real, LAMP_14_POWER_max real,
  LAMP_14_RUNTIME_n integer not null,
  LAMP_14_RUNTIME_last real,
  LAMP_15_EFFICIENCY_n integer not null,
  LAMP_15_EFFICIENCY_sum real, LAMP_15_EFFICIENCY_min real, LAMP_15_EFFICIENCY_max real,
  LAMP_15_POWER_n integer not null,
  LAMP_15_POWER_sum real, LAMP_15_POWER_min real, LAMP_15_POWER_max real,
  LAMP_15_RUNTIME_n integer not null,
  LAMP_15_RUNTIME_last real,
  LAMP_16_EFFICIENCY_n integer not null,
  LAMP_16_EFFICIENCY_sum real, LAMP_16_EFFICIENCY_min real, LAMP_16_EFFICIENCY_max real,
  LAMP_16_POWER_n integer not null,
  LAMP_16_POWER_sum real, LAMP_16_POWER_min real, LAMP_16_POWER_max real,
  LAMP_16_RUNTIME_n integer not null,
  LAMP_16_RUNTIME_last real,
  checksum integer not null,
  answer_checksum integer not null,
  rest_checksum integer not null,
  unique (interval, start_ms)
);

-- Events are never changed. `identity` is a hash over time, type, description and data; `hash`
-- covers it, the source, the receipt and the event before, as segments are chained.
create table event (
  id integer primary key,
  at_ms integer not null,
  event_type text not null,
  description text not null,
  data text not null,
  source text not null,
  received_ms integer not null,
  clock_trusted integer not null,
  identity blob not null unique,
  hash blob not null
);
create index event_by_time on event (at_ms, id);
create index event_by_type on event (event_type, at_ms, id);

-- Health of 15-minute slots in which water was treated, scored aboard. `checksum` covers all other
-- columns (row-checksum.ts), as in every table that has one.
create table health (
  at_ms integer primary key,
  overall_score real,
  risk_level text,
  month integer not null,
  uv_health real,
  lamp_health real,
  power_efficiency real,
  thermal_health real,
  checksum integer not null
);

-- Health records that came over MQTT, as they were sent.
create table health_received (
  at_ms integer primary key,
  overall_score real,
  risk_level text,
  month integer not null,
  uv_health real,
  lamp_health real,
  power_efficiency real,
  thermal_health real
);

-- What has to be computed again, because its readings changed: for each derivation the starts of
-- its pieces of time (due.ts).
create table due (
  derivation text not null,
  start_ms integer not null,
  primary key (derivation, start_ms)
) without rowid;

-- Forecasts that came over MQTT; `predictions` and `current_state` are JSON objects.
create table prediction (
  at_ms integer not null,
  component_id text not null,
  predictions text not null,
  current_state text not null,
  primary key (at_ms, component_id)
) without rowid;

-- Forecasts made aboard: a row for each lamp (1 to 16) and the reading as of which it was made.
-- Hours are operating hours; the p05 and p95 columns bound what is likely. The columns from
-- lamp_runtime_hours on are of the lamp as it was then.
create table forecast (
  at_ms integer not null,
  lamp integer not null,
  remaining_useful_life_hours real not null,
  failure_probability real not null,
  efficiency_percent real,
  remaining_useful_life_hours_p05 real not null,
  remaining_useful_life_hours_p95 real not null,
  horizon_hours real not null,
  basis text not null,
  model_version text not null,
  expected_end text,
  remaining_operations real,
  remaining_days integer,
  end_date_p05 text,
  end_date_p50 text,
  end_date_p95 text,
  lamp_runtime_hours real not null,
  lamp_efficiency_percent real,
  lamp_status text not null,
  lamp_fitted_ms integer not null,
  checksum integer not null,
  primary key (at_ms, lamp)
) without rowid;

-- Interface B.
create table plant (
  id integer primary key,
  name text not null,
  tag text
);

-- What couldn't be taken. The same topic, reason and content again is counted, for which `identity`
-- is a hash of them; `payload` is null for entries that came when the quarantine was full.
create table quarantine (
  id integer primary key,
  topic text not null,
  reason text not null,
  detail text not null,
  payload blob,
  payload_bytes integer not null,
  identity blob not null unique,
  first_received_ms integer not null,
  last_received_ms integer not null,
  clock_trusted integer not null,
  count integer not null
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

-- Single facts: quarantine_bytes, raw_from_ms (raw readings before it have expired).
create table mark (
  name text primary key,
  value integer not null
) without rowid;

-- Who did what, never changed and never expired. `detail` is a JSON object; `hash` covers the whole
-- entry and the one before, as events are chained.
create table audit (
  id integer primary key,
  at_ms integer not null,
  clock_trusted integer not null,
  kind text not null,
  actor text not null,
  address text,
  detail text not null,
  hash blob not null
);
create index audit_by_kind on audit (kind, id);

-- Bearer tokens that are valid: the SHA-256 of each, never the token.
create table token (
  name text primary key,
  role text not null,
  hash blob not null,
  added_ms integer not null
) without rowid;

-- The configuration of the latest start, to tell at the next one what was changed. `value` is JSON;
-- of a secret it is the scrypt hash, with its salt beside it.
create table setting (
  key text primary key,
  value text not null,
  salt blob
) without rowid;

-- Spans of time whose readings are known to be wrong, and hidden. Nothing of them is deleted; one
-- that was undone has undone_ms and hides nothing any more.
create table void (
  id integer primary key,
  start_ms integer not null,
  end_ms integer not null,
  reason text not null,
  made_ms integer not null,
  undone_ms integer
);

-- Entries of the quarantine that were taken in again, as of the last time: how much of each was
-- stored, with its times shifted; `reason` is null when nothing was left over.
create table replay (
  quarantine_id integer primary key,
  at_ms integer not null,
  shift_ms integer not null,
  stored integer not null,
  reason text,
  detail text not null
);

-- Steps of a clock, the PLC's or the box's: what it would have said, and what it said.
create table clock_step (
  id integer primary key,
  at_ms integer not null,
  clock text not null,
  from_ms integer not null,
  to_ms integer not null,
  found text not null
);
create index clock_step_by_time on clock_step (at_ms);

-- Alerts: ballastd's own alarms, and the treatment system's (source plc). Each code of the latter
-- is one row while nobody has acknowledged it; description and data are those of the first event,
-- which has this identity. `about` tells apart what can be wrong in several places at a time, such
-- as the client of a lost link. Closed alerts have is_open 0.
create table alarm (
  id integer primary key,
  source text not null,
  code text not null,
  about text not null,
  raised_ms integer not null,
  last_ms integer not null,
  count integer not null default 1,
  cleared_ms integer,
  is_open integer not null default 1,
  acknowledged_ms integer,
  acknowledged_by text,
  acknowledged_note text,
  shelved_until_ms integer,
  shelved_by text,
  shelved_reason text,
  description text not null,
  data text not null,
  identity blob
);
create index alarm_by_time on alarm (last_ms, id);
create index alarm_by_code on alarm (source, code, about, last_ms);
create unique index alarm_open on alarm (source, code, about) where is_open = 1;
create unique index alarm_by_event on alarm (identity) where identity is not null;

-- Alerts of ballastd's own as they stood before they rose again, or before another one took their
-- place: what is told of the moments before until_ms. A row is of alarm_id.
create table alarm_past (
  id integer primary key,
  alarm_id integer not null,
  until_ms integer not null,
  count integer not null,
  cleared_ms integer not null,
  is_open integer not null,
  acknowledged_ms integer,
  description text not null,
  data text not null
);
create index alarm_past_by_alarm on alarm_past (alarm_id);

-- Times without readings though an operation was running.
create table gap (
  start_ms integer primary key,
  end_ms integer not null,
  until_ms integer not null,
  operation_type text,
  known_by text not null
);
create index gap_by_end on gap (until_ms);

-- What the tracker of lamp lives knew when every reading up to through_ms was in: JSON, compressed
-- with zstd. One for each month and the newest; those that late readings contradict are removed.
create table lamp_state (
  through_ms integer primary key,
  version integer not null,
  state blob not null,
  checksum integer not null
);

-- The engineer's words on lamps, never changed: of two that contradict the later counts.
create table lamp_word (
  id integer primary key,
  position integer not null,
  at_ms integer not null,
  replaced integer not null,
  hours real,
  serial text,
  note text
);

-- For what state of the lamps forecasts were made last.
create table lamp_run (
  id integer primary key check (id = 1),
  at_ms integer not null,
  hours real not null,
  signature text not null
);

-- Times of receipt that the box's clock told wrongly, by what is known now: it is trusted though it
-- is earlier than these. The readings themselves stay as they were received.
create table disowned (
  id integer primary key,
  from_ms integer not null,
  to_ms integer not null,
  made_ms integer not null,
  reason text not null
);

-- Spans of time whose events are hidden, as `void` has those of readings; numbered with them.
create table event_void (
  id integer primary key,
  start_ms integer not null,
  end_ms integer not null,
  reason text not null,
  made_ms integer not null,
  undone_ms integer
);
create index event_void_active on event_void (start_ms, end_ms) where undone_ms is null;

-- Events as they are answered: without those that are hidden.
create view shown_event as
select * from event where not exists (
  select 1 from event_void where undone_ms is null
    and event.at_ms between event_void.start_ms and event_void.end_ms
);

-- Alerts as they are answered: an active one always, any other unless all of it is hidden.
create view shown_alarm as
select * from alarm where source = 'ballastd' and cleared_ms is null or not exists (
  select 1 from event_void where undone_ms is null
    and alarm.raised_ms >= event_void.start_ms and alarm.last_ms <= event_void.end_ms
);

-- How the forecasts of lamps that ended turned out: sums over the forecasts of each such lamp
-- (score-tally.ts), which is known by the position (0 to 15) where it was first, and by
-- when it was fitted. `basis` has the facts that a score rests on. The errors are JSON: how many
-- forecasts were off by so many tenths of an hour.
create table lamp_score (
  position integer not null,
  began_ms integer not null,
  basis text not null,
  end_h real not null,
  through_ms integer,
  ended integer not null,
  before_p05 integer not null,
  after_p95 integer not null,
  shares integer not null,
  share_sum real not null,
  decided integer not null,
  happened integer not null,
  squares real not null,
  rated_squares real not null,
  errors text not null,
  rated_errors text not null,
  checksum integer not null,
  primary key (position, began_ms)
) without rowid;

-- The names of unknown tags that readings have, so that a PLC can't invent them without end. One
-- that no reading had for as long as raw readings are kept is dropped.
create table tag_name (
  name text primary key,
  seen_ms integer not null
) without rowid;

-- When the readings of each segment lie, and when the newest of them was received: the list of
-- segments, which every thread reads at its start, in rows that lie together. `checksum` is the
-- CRC-32 of the others, printed with a space between. It also tells in which answers a segment is
-- missing whose own row is damaged or gone.
create table segment_place (
  id integer primary key,
  first_ms integer not null,
  last_ms integer not null,
  count integer not null,
  newest_received_ms integer not null,
  checksum integer not null
);

-- Hours whose sums changed since they were last told ashore: `revision` rises with each change, and
-- the shore says up to which it has them.
create table shore_hour (
  start_ms integer primary key,
  revision integer not null unique
);

-- The newest link of each chain, and the newest answer at all, that the shore acknowledged: for
-- people alone. What is sent is decided by what the shore says that it has.
create table shore_ack (
  chain text primary key,
  number integer not null,
  at_ms integer not null
) without rowid;

-- Bytes on the line and sessions of each day (UTC).
create table shore_usage (
  day_ms integer primary key,
  sent_bytes integer not null,
  received_bytes integer not null,
  sessions integer not null
);

-- The ledger: a Merkle tree of RFC 6962 whose leaves are the links of the chains of segments,
-- events and the audit log, and statements, in the order in which they were committed. `leaf` is
-- the text whose hash the leaf is: kind, number, and the SHA-256 of the link or of the statement's
-- `content`; of a segment also the number of its rows and their root. `nodes` has the hash of this
-- leaf and of all subtrees that it completes, from below, 32 bytes each.
create table ledger (
  id integer primary key,
  kind text not null,
  number integer not null,
  leaf text not null,
  content text,
  nodes blob not null,
  unique (kind, number)
);

-- Signed heads of the ledger: the checkpoint as it was signed, and the same text's SSH signature.
-- Their ids have no gap; the head of the chain 'head' counts them.
create table ledger_head (
  id integer primary key,
  at_ms integer not null,
  origin text not null,
  size integer not null,
  reason text not null,
  checkpoint text not null,
  ssh_signature text not null,
  checksum integer not null
);

-- Operations of the treatment system. `id` stays, whatever comes late; of one that is judged
-- `version` is the newest, and the other columns repeat what that says, to be searched. One that
-- still runs has version 0 and no end.
create table operation (
  id integer primary key,
  start_ms integer not null,
  end_ms integer,
  operation_type text,
  location text,
  known_by text not null,
  verdict text,
  version integer not null,
  checksum integer not null
);
create index operation_by_time on operation (start_ms, id);

-- Each version of a judgement, never changed but for given_out_ms, when it was printed or exported
-- first. `record` is JSON: the operation as /api/operations answers it, without its versions.
-- `ledger_number` is that of its statement of the kind `verdict`, which has the same record.
create table operation_version (
  operation_id integer not null,
  version integer not null,
  made_ms integer not null,
  verdict text,
  because text not null,
  rules_version integer not null,
  ledger_number integer not null,
  given_out_ms integer,
  record text not null,
  checksum integer not null,
  primary key (operation_id, version)
);
