-- Facts of the stored data for /api/system.

-- name: system.chains
select chain, count, lower(hex(hash)) as hash from chain_head where chain <> 'head' order by chain;

-- name: system.job_runs
select job, started_ms, ended_ms, result from job_run;

-- name: system.quarantine
-- Number of entries and messages of each reason. An entry waits until it was taken in completely.
select quarantine.reason, count(*) as entries, sum(count) as messages,
  sum(replay.at_ms is null or replay.reason is not null) as waiting
from quarantine left join replay on replay.quarantine_id = quarantine.id
group by quarantine.reason order by entries desc, quarantine.reason;

-- name: system.set_aside
-- Number of messages quarantined in a span, by reason. An entry that began before the span counts
-- as one message, since more aren't certain.
select reason, sum(case when first_received_ms >= $start_ms then count else 1 end) as messages,
  max(min(last_received_ms, $end_ms)) as newest_ms,
  sum(count > 1 and (first_received_ms < $start_ms or last_received_ms > $end_ms)) as unsure
from quarantine
where last_received_ms >= $start_ms and first_received_ms <= $end_ms
group by reason order by messages desc, reason;

-- name: system.backup
-- The newest backup in the audit log.
select at_ms, detail from audit where kind = 'backup' order by id desc limit 1;
