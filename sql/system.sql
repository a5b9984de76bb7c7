-- What /api/system tells of the stored data.

-- name: system.chains
select chain, count, lower(hex(hash)) as hash from chain_head order by chain;

-- name: system.job_runs
select job, started_ms, ended_ms, result from job_run;

-- name: system.quarantine
-- Entries and messages of each reason; those wait of which not all was taken in since.
select quarantine.reason, count(*) as entries, sum(count) as messages,
  sum(replay.at_ms is null or replay.reason is not null) as waiting
from quarantine left join replay on replay.quarantine_id = quarantine.id
group by quarantine.reason order by entries desc, quarantine.reason;

-- name: system.backup
-- The newest backup that the audit log names.
select at_ms, detail from audit where kind = 'backup' order by id desc limit 1;
