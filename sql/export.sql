-- Reads the wide table of an exported SQLite file. wide.generated.sql, made from the catalogue,
-- defines its columns.

-- name: wide.rows
-- All rows in order of time. No columns are named, since a file may have only some of them.
select * from reading order by timestamp;
