-- Files of raw readings: the wide table of an exported SQLite file (its columns stand in
-- wide.generated.sql, made of the catalogue), read back.

-- name: wide.rows
-- All of it, in order of time. Unlisted: a file may have some of the columns only.
select * from reading order by timestamp;
