-- Receipts of messages without a time, runs of jobs, single facts.

-- name: receipt.at
-- Whether a message without a time came already, not before $since_ms.
select received_ms from receipt where identity = $identity and received_ms >= $since_ms;

-- name: receipt.put
insert into receipt (identity, received_ms) values ($identity, $received_ms)
on conflict (identity) do update set received_ms = excluded.received_ms;

-- name: receipt.newest
-- Where the clock of receipts stood last: it runs while ballastd does.
select max(received_ms) as received_ms from receipt;

-- name: receipt.forget
-- The oldest of those that are over, some at a time.
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

-- name: mark.put
insert into mark (name, value) values ($name, $value)
on conflict (name) do update set value = excluded.value;

-- name: mark.spans
-- The ends of plausible spans that differ from the catalogue's, and the catalogue's sum.
select name, value from mark where name >= 'span.' and name < 'span/';

-- name: mark.remove
delete from mark where name = $name;

-- name: state.shrink
-- Gives empty pages at the end of the file back, some megabytes at a time: what retention frees is
-- soon filled again. Run as text: prepared, it would stop after the first page.
pragma incremental_vacuum(1024);

-- name: state.checkpoint
-- Moves the write-ahead log into the database and truncates it.
pragma wal_checkpoint(truncate);

-- name: state.checkpoint_some
-- Moves what of the log nobody needs into the database, and waits for nobody.
pragma wal_checkpoint(passive);

-- name: state.version
-- Changes when another connection has committed, or this one has written.
select data_version as others, total_changes() as own from pragma_data_version;
