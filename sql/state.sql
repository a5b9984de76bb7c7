-- Receipts of messages without a time, runs of jobs, and single facts.

-- name: receipt.at
-- The receipt of a message without a time that arrived before, but not before $since_ms.
select received_ms from receipt where identity = $identity and received_ms >= $since_ms;

-- name: receipt.put
insert into receipt (identity, received_ms) values ($identity, $received_ms)
on conflict (identity) do update set received_ms = excluded.received_ms;

-- name: receipt.newest
-- The newest receipt: the last known time of the clock, which runs while ballastd does.
select max(received_ms) as received_ms from receipt;

-- name: receipt.forget
-- Removes the oldest expired receipts, some at a time.
delete from receipt where identity in (
  select identity from receipt where received_ms < $before_ms order by received_ms limit $limit
);

-- name: job.record
insert into job_run (job, started_ms, ended_ms, result)
values ($job, $started_ms, $ended_ms, $result)
on conflict (job) do update set
  started_ms = excluded.started_ms, ended_ms = excluded.ended_ms, result = excluded.result;

-- name: job.last_runs
select job, started_ms from job_run;

-- name: mark.at
select value from mark where name = $name;

-- name: mark.all
-- All columns, since a file from before migration 4 has no checksums.
select * from mark;

-- name: mark.put
insert into mark (name, value, checksum) values ($name, $value, $checksum)
on conflict (name) do update set value = excluded.value, checksum = excluded.checksum;

-- name: mark.spans
-- The ends of plausible spans that differ from the catalogue's, and the catalogue's checksum.
select name, value from mark where name >= 'span.' and name < 'span/';

-- name: mark.remove
delete from mark where name = $name;

-- name: state.shrink
-- Returns empty pages at the end of the file to the system, some megabytes at a time: space freed
-- by retention is soon used again. Run as text, since a prepared statement would stop after the
-- first page.
pragma incremental_vacuum(1024);

-- name: state.checkpoint
-- Moves the write-ahead log into the database and truncates it.
pragma wal_checkpoint(truncate);

-- name: state.checkpoint_some
-- Moves into the database the part of the log that no connection needs, without waiting for any.
pragma wal_checkpoint(passive);

-- name: state.version
-- Numbers that change when another connection has committed, or this one has written.
select data_version as others, total_changes() as own from pragma_data_version;
