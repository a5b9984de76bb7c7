-- What couldn't be taken.

-- name: quarantine.repeat
-- The same again: counted. Changes no row when it is new.
update quarantine set count = count + 1, last_received_ms = $received_ms
where payload_hash = $payload_hash and topic = $topic and reason = $reason;

-- name: quarantine.add
insert into quarantine
  (topic, reason, detail, payload, payload_bytes, payload_hash,
   first_received_ms, last_received_ms, clock_trusted, count)
values
  ($topic, $reason, $detail, $payload, $payload_bytes, $payload_hash,
   $received_ms, $received_ms, $clock_trusted, 1);

-- name: quarantine.list
-- Newest first.
select id, topic, reason, detail, payload, payload_bytes, first_received_ms, last_received_ms,
  clock_trusted, count
from quarantine order by id desc limit $limit;
