-- Reads the readable rows of a damaged database and writes them into a new one. src/sqlite/care/
-- replaces names in capitals with those of the schema.

-- name: salvage.tables
-- Every table, and whether its rows have ids.
select t.name, t.wr as without_rowid from pragma_table_list as t
where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' order by t.name;

-- name: salvage.columns
select name, pk from pragma_table_info($table) order by cid;

-- name: salvage.forwards
-- A table's rows from the beginning, as far as its pages can be read.
select * from TABLE order by KEY;

-- name: salvage.backwards
-- A table's rows from the end, down to the same damage.
select * from TABLE order by DESCENDING;

-- name: salvage.take_over
-- Stores a row; an existing one stays.
insert or ignore into TABLE (COLUMNS) values (VALUES);

-- name: salvage.tree
-- Faults in the pages of a table and of its indexes, several lines in a row, and the table's first
-- page.
select quick_check as said, (select rootpage from sqlite_schema where name = $table) as root
from pragma_quick_check($table);

-- name: salvage.quarantine_ids
-- Messages in quarantine, as far as the table's tree can be walked.
select id from quarantine order by id;

-- name: salvage.day_counts
-- Number of sealed readings of each day.
select start_ms, count from bucket where interval = 'day' and start_ms >= $raw_from_ms;

-- name: salvage.readings
-- Unsealed readings from the oldest on, as far as the table's tree can be walked.
select at_ms, row from reading order by at_ms;

-- name: salvage.readings_back
select at_ms, row from reading order by at_ms desc;

-- name: salvage.alarm_acts
-- The acts on alerts in the audit log, in their order.
select at_ms, kind, actor, address, detail from audit
where kind in ('alarm_acknowledged', 'alarm_shelved') order by id;

-- name: salvage.forget_received
-- Removes alarms of the treatment system, which are recreated from its events.
delete from alarm where source = 'plc';

-- name: salvage.forget_alarm_past
-- Removes past states of lost alerts, since another alert may get the id.
delete from alarm_past
where not exists (select 1 from alarm where id = alarm_id and source = 'ballastd');

-- name: salvage.received_alarms
-- The next alarms of the treatment system and their ends, in the order in which they were stored.
select id, at_ms, event_type, description, data, source, identity, received_ms, clock_trusted
from event
where id > $id and event_type in ('ALARM_TRIGGERED', 'ALARM_CLEARED') and source <> 'ballastd'
order by id limit $limit;

-- name: salvage.forget_voids
-- Removes all voids, since a complete audit log has all of them.
delete from void;

-- name: salvage.forget_voids_of_events
delete from event_void;

-- name: salvage.void
-- Stores a void from the audit log. If the stored one was undone, it stays so, since the entry
-- about that may be lost.
insert into void (id, start_ms, end_ms, reason, made_ms)
values ($id, $start_ms, $end_ms, $reason, $made_ms)
on conflict (id) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms,
  reason = excluded.reason, made_ms = excluded.made_ms;

-- name: salvage.void_of_events
insert into event_void (id, start_ms, end_ms, reason, made_ms)
values ($id, $start_ms, $end_ms, $reason, $made_ms)
on conflict (id) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms,
  reason = excluded.reason, made_ms = excluded.made_ms;
