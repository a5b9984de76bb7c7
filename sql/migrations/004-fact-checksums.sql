-- Checksums of single facts and of the configuration of the latest start: a damaged row of the one
-- would hide readings, of the other change limits of the past. Null: of a row before this version
-- that couldn't be summed.
alter table mark add column checksum integer;
alter table setting add column checksum integer;

-- The list of events leaves the ends of alarms out without reading a row, which may be damaged.
drop index event_by_time;
create index event_by_time on event (at_ms, id, event_type);
