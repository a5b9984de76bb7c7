-- Backups: the copy and its label. The two tables are in the copy only; a restore removes them.

-- name: backup.copy
-- Copies one snapshot into a new file, without free pages.
vacuum into $file;

-- name: backup.is_labelled
select count(*) as count from sqlite_schema where type = 'table' and name = 'backup';

-- name: backup.label
-- All columns, since older backups have no number and no damage.
select * from backup;

-- name: backup.put_label
insert into backup (number, made_ms, version, system_id, reason)
values ($number, $made_ms, $version, $system_id, $reason);

-- name: backup.put_damage
update backup set damage = $damage;

-- name: backup.files
select * from backup_file order by name;

-- name: backup.put_file
insert into backup_file (name, content, sha256) values ($name, $content, $sha256);
