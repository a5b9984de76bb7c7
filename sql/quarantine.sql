-- Quarantined messages, and the results of taking them in again.

-- name: quarantine.repeat
-- Counts a repeated message; changes no row if it is new.
update quarantine set count = count + 1, last_received_ms = $received_ms
where identity = $identity;

-- name: quarantine.add
insert into quarantine
  (topic, reason, detail, payload, payload_bytes, identity,
   first_received_ms, last_received_ms, clock_trusted, count)
values
  ($topic, $reason, $detail, $payload, $payload_bytes, $identity,
   $received_ms, $received_ms, $clock_trusted, 1);

-- name: quarantine.count
-- Number of entries, which are never removed.
select coalesce(max(id), 0) as count from quarantine;

-- name: quarantine.waiting
-- Number of messages that haven't been taken in completely, by reason, with the detail of the last.
select quarantine.reason, sum(count) as messages, min(first_received_ms) as first_ms,
  max(last_received_ms) as last_ms, quarantine.detail
from quarantine left join replay on replay.quarantine_id = quarantine.id
where replay.at_ms is null or replay.reason is not null
group by quarantine.reason order by messages desc, quarantine.reason;

-- name: quarantine.contradictions
-- The details of messages that contradict stored data, unless they were taken in completely since.
select quarantine.detail || '; ' || coalesce(replay.detail, '') as detail,
  first_received_ms as received_ms
from quarantine left join replay on replay.quarantine_id = quarantine.id
where (replay.at_ms is null or replay.reason is not null)
  and (quarantine.detail like '%: got %, stored %' or replay.detail like '%: got %, stored %');

-- name: quarantine.full
-- Number of entries without a payload, because the quarantine was full, and of messages counted
-- without an entry.
select count(*) as count, coalesce(sum(iif(topic = '', count, 0)), 0) as messages
from quarantine where payload is null;

-- name: quarantine.list
-- Entries, newest first, with the result of taking each in again.
select quarantine.id, topic, quarantine.reason, quarantine.detail, payload, payload_bytes,
  first_received_ms, last_received_ms, clock_trusted, count,
  replay.at_ms as replayed_ms, replay.shift_ms, replay.stored, replay.reason as left_reason,
  replay.detail as left_detail
from quarantine left join replay on replay.quarantine_id = quarantine.id
order by quarantine.id desc limit $limit;

-- name: quarantine.page
-- Entries with a number below $before, newest first, without their payloads.
select quarantine.id, topic, quarantine.reason, quarantine.detail, payload_bytes,
  payload is not null as is_kept, first_received_ms, last_received_ms, clock_trusted, count,
  replay.at_ms as replayed_ms, replay.shift_ms, replay.stored, replay.reason as left_reason,
  replay.detail as left_detail
from quarantine left join replay on replay.quarantine_id = quarantine.id
where quarantine.id < $before and ($reason is null or quarantine.reason = $reason)
order by quarantine.id desc limit $limit;

-- name: quarantine.payload
-- The beginning of a payload, and the size of the kept part.
select substr(payload, 1, $limit) as head, length(payload) as kept_bytes
from quarantine where id = $id;

-- name: quarantine.to_replay
-- The next entries to be taken in again, received in a range: the named ones, or else all that
-- wait; with $reason only those that wait for that reason now.
select quarantine.id, topic, quarantine.reason, quarantine.detail, payload, payload_bytes,
  first_received_ms, clock_trusted, replay.at_ms as replayed_ms, replay.shift_ms, replay.stored,
  replay.reason as left_reason
from quarantine left join replay on replay.quarantine_id = quarantine.id
where quarantine.id > $after_id
  and first_received_ms between $start_ms and $end_ms
  and iif($ids is null,
    replay.at_ms is null or replay.reason is not null,
    quarantine.id in (select value from json_each($ids)))
  and ($reason is null or coalesce(replay.reason, quarantine.reason) = $reason)
order by quarantine.id limit $limit;

-- name: replay.put
insert into replay (quarantine_id, at_ms, shift_ms, stored, reason, detail)
values ($quarantine_id, $at_ms, $shift_ms, $stored, $reason, $detail)
on conflict (quarantine_id) do update set at_ms = excluded.at_ms, shift_ms = excluded.shift_ms,
  stored = excluded.stored, reason = excluded.reason, detail = excluded.detail;
