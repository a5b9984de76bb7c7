-- Reading what a damaged database still says, and writing it into a new one. Names in capitals are
-- put in by src/sqlite/care/: they are those of the schema.

-- name: salvage.tables
-- Every table, and whether its rows have ids.
select t.name, t.wr as without_rowid from pragma_table_list as t
where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' order by t.name;

-- name: salvage.columns
select name, pk from pragma_table_info($table) order by cid;

-- name: salvage.forwards
-- A table's rows as far as its pages can be read.
select * from TABLE order by KEY;

-- name: salvage.backwards
-- From the other end, up to the same damage.
select * from TABLE order by DESCENDING;

-- name: salvage.take_over
-- One row; one that is there already counts.
insert or ignore into TABLE (COLUMNS) values (VALUES);

-- name: salvage.tree
-- Faults in the pages of a table and of its indexes, many lines a row; and the table's first page.
select quick_check as said, (select rootpage from sqlite_schema where name = $table) as root
from pragma_quick_check($table);

-- name: salvage.quarantine_ids
-- Messages in quarantine, as far as the table's tree can be walked.
select id from quarantine order by id;

-- name: salvage.day_counts
-- How many sealed readings each day had.
select start_ms, count from bucket where interval = 'day' and start_ms >= $raw_from_ms;

-- name: salvage.readings
-- Unsealed readings from the oldest on, as far as the table's tree can be walked.
select at_ms, row from reading order by at_ms;

-- name: salvage.readings_back
select at_ms, row from reading order by at_ms desc;

-- name: salvage.alarm_acts
-- What people did with alerts, by the audit log, in order.
select at_ms, kind, actor, address, detail from audit
where kind in ('alarm_acknowledged', 'alarm_shelved') order by id;

-- name: salvage.forget_received
-- Alarms of the treatment system are made again of their events.
delete from alarm where source = 'plc';

-- name: salvage.forget_alarm_past
-- The past of alerts that are lost: another one may get the id.
delete from alarm_past
where not exists (select 1 from alarm where id = alarm_id and source = 'ballastd');

-- name: salvage.received_alarms
-- The next alarms of the treatment system and their ends, in the order in which they were stored.
select id, at_ms, event_type, description, data, source, identity, received_ms, clock_trusted
from event
where id > $id and event_type in ('ALARM_TRIGGERED', 'ALARM_CLEARED') and source <> 'ballastd'
order by id limit $limit;

-- name: salvage.forget_voids
-- A whole audit log tells of all of them.
delete from void;

-- name: salvage.forget_voids_of_events
delete from event_void;

-- name: salvage.void
-- One that the audit log tells of; that it was undone stays, as its entry may be lost.
insert into void (id, start_ms, end_ms, reason, made_ms)
values ($id, $start_ms, $end_ms, $reason, $made_ms)
on conflict (id) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms,
  reason = excluded.reason, made_ms = excluded.made_ms;

-- name: salvage.void_of_events
insert into event_void (id, start_ms, end_ms, reason, made_ms)
values ($id, $start_ms, $end_ms, $reason, $made_ms)
on conflict (id) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms,
  reason = excluded.reason, made_ms = excluded.made_ms;
