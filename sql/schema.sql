-- The migrations that a database has had, and facts of the file.

-- name: schema.synchronous
-- The durability level of commits; 2 is FULL.
select synchronous from pragma_synchronous;

-- name: schema.has_table
-- 1 once any migration was run.
select count(*) as count from sqlite_schema where type = 'table' and name = 'schema_migration';

-- name: schema.applied
-- Migrations that were applied, to compare with the program's.
select number, name, checksum from schema_migration order by number;

-- name: schema.record
-- Records a migration, in the transaction that ran it.
insert into schema_migration (number, name, checksum, applied_ms)
values ($number, $name, $checksum, $applied_ms);

-- name: schema.sqlite_version
-- The version of the built-in SQLite.
select sqlite_version() as version;

-- name: schema.user_version
-- The schema's number in the file's header, where other tools look for it.
select user_version as number from pragma_user_version;

-- name: schema.set_user_version
-- A pragma takes no parameters: the number is put into the text.
pragma user_version = $number;

-- name: schema.integrity
-- Faults of the file's pages, tables and indexes; one row, ok, without any.
pragma integrity_check(3);

-- name: schema.proven_table
-- The tables to be compared with their indexes, one by one. Segments are left out: their hashes
-- prove them, and a walk of their pages would read the whole file.
select name from sqlite_schema
where type = 'table' and name not like 'sqlite%' and name <> 'segment'
order by name limit 1 offset $id;

-- name: schema.table_integrity
-- Faults of a table's pages and indexes; one row, ok, without any.
select integrity_check as said from pragma_integrity_check($table);

-- name: schema.statements
-- The definitions of the schema in the file, and whose file it is, for a report of a fault.
select text from (
  select 0 as place, '' as type, '' as name, 'pragma application_id = ' || application_id as text
  from pragma_application_id
  union all
  select 1, type, name, sql from sqlite_schema where sql is not null
) order by place, type, name;

-- name: schema.unproven
-- Number of rows in each table without any proof.
select 'health_received' as name, count(*) as count from health_received
union all select 'prediction', count(*) from prediction
union all select 'plant', count(*) from plant
union all select 'quarantine', count(*) from quarantine
union all select 'replay', count(*) from replay
union all select 'lamp_word', count(*) from lamp_word
union all select 'token', count(*) from token
union all select 'disowned', count(*) from disowned
union all select 'alarm', count(*) from alarm
union all select 'alarm_past', count(*) from alarm_past
union all select 'gap', count(*) from gap
union all select 'clock_step', count(*) from clock_step
union all select 'tag_name', count(*) from tag_name
union all select 'receipt', count(*) from receipt
union all select 'job_run', count(*) from job_run
union all select 'due', count(*) from due
union all select 'shore_hour', count(*) from shore_hour
union all select 'shore_ack', count(*) from shore_ack
union all select 'shore_usage', count(*) from shore_usage
union all select 'lamp_run', count(*) from lamp_run
union all select 'schema_migration', count(*) from schema_migration;
