-- Which migrations a database has had, and facts of the file.

-- name: schema.synchronous
-- 2 is FULL.
select synchronous from pragma_synchronous;

-- name: schema.applied
-- Migrations that were applied, to compare with the program's.
select number, name, checksum from schema_migration order by number;

-- name: schema.record
-- One migration, in the transaction that ran it.
insert into schema_migration (number, name, checksum, applied_ms)
values ($number, $name, $checksum, $applied_ms);

-- name: schema.sqlite_version
-- The SQLite inside.
select sqlite_version() as version;
