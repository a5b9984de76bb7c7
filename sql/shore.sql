-- Data to send to the office: links of the chains, and facts about what was sent.

-- name: shore.segments
-- The next links, without payloads.
select id, header, payload_hash, hash, length(payload) as payload_bytes,
  (select hash from segment as before where before.id = segment.id - 1) as previous
from segment where id > $id order by id limit $limit;

-- name: shore.payload
-- A segment's payload; null if it has expired.
select hash, payload from segment where id = $id;

-- name: shore.events
select id, at_ms, event_type, description, data, source, received_ms, clock_trusted, identity, hash,
  (select hash from event as before where before.id = event.id - 1) as previous
from event where id > $id order by id limit $limit;

-- name: shore.entries
select id, at_ms, clock_trusted, kind, actor, address, detail, hash,
  (select hash from audit as before where before.id = audit.id - 1) as previous
from audit where id > $id order by id limit $limit;

-- name: shore.event_hash
select hash from event where id = $id;

-- name: shore.entry_hash
select hash from audit where id = $id;

-- name: shore.segment_sizes
-- Facts about the links from $first to $last: their number, their bytes, with payloads if $raw is
-- 1, and the oldest time.
select count(*) as links,
  coalesce(sum(length(header) + $raw * coalesce(length(payload), 0)), 0) as bytes,
  count(payload) as payloads, min(first_ms) as oldest_ms
from segment where id between $first and $last;

-- name: shore.event_oldest
select min(at_ms) as oldest_ms from event where id > $id;

-- name: shore.segments_in
-- Links that hold readings of a range.
select id from segment where last_ms >= $start_ms and first_ms <= $end_ms order by id desc;

-- name: shore.hot
select count(*) as count from reading;

-- name: shore.alarms
-- Alerts that are open, or changed since a time.
select id from alarm
where is_open = 1
  or max(last_ms, coalesce(cleared_ms, 0), coalesce(acknowledged_ms, 0)) >= $since_ms
order by id;

-- name: shore.hour_put
insert into shore_hour (start_ms, revision)
values ($start_ms, max($now_ms, 1 + coalesce((select max(revision) from shore_hour), 0)))
on conflict (start_ms) do update set revision = excluded.revision;

-- name: shore.hours
select start_ms, revision from shore_hour where revision > $revision order by revision limit $limit;

-- name: shore.hour_count
select count(*) as count from shore_hour where revision > $revision;

-- name: shore.hour_newest
select coalesce(max(revision), 0) as revision from shore_hour;

-- name: shore.hours_away
-- Makes the revisions negative, so that each can be given again.
update shore_hour set revision = -revision;

-- name: shore.hours_again
-- Renumbers all revisions above a number, in their order.
update shore_hour set revision = $revision + place.number
from (
  select start_ms, row_number() over (order by revision desc) as number from shore_hour
) as place
where place.start_ms = shore_hour.start_ms;

-- name: shore.acks
select chain, number, at_ms from shore_ack;

-- name: shore.ack
insert into shore_ack (chain, number, at_ms) values ($chain, $number, $at_ms)
on conflict (chain) do update set number = excluded.number, at_ms = excluded.at_ms;

-- name: shore.clock
-- The newest judgement of the box's clock.
select clock_trusted from audit order by id desc limit 1;

-- name: shore.usage
select sent_bytes, received_bytes, sessions from shore_usage where day_ms = $day_ms;

-- name: shore.usage_since
select coalesce(sum(sent_bytes), 0) as sent_bytes,
  coalesce(sum(received_bytes), 0) as received_bytes, coalesce(sum(sessions), 0) as sessions
from shore_usage where day_ms >= $day_ms;

-- name: shore.use
insert into shore_usage (day_ms, sent_bytes, received_bytes, sessions)
values ($day_ms, $sent_bytes, $received_bytes, $sessions)
on conflict (day_ms) do update set sent_bytes = sent_bytes + excluded.sent_bytes,
  received_bytes = received_bytes + excluded.received_bytes,
  sessions = sessions + excluded.sessions;

-- name: shore.ledger_heads
-- The next signed heads, each with the one before.
select id, at_ms, origin, size, reason, checkpoint,
  (select checkpoint from ledger_head as before where before.id < ledger_head.id
    order by before.id desc limit 1) as before
from ledger_head where id > $id order by id limit $limit;

-- name: shore.ledger_order
-- The kinds of some leaves, in their order.
select kind from ledger where id > $first and id <= $last order by id;

-- name: shore.statements
-- The next statements of some kinds, among the first $size leaves.
select id, kind, number, leaf, content from ledger
where id > $id and id <= $size and kind in (select value from json_each($kinds))
order by id limit $limit;

-- name: shore.statements_of
-- Statements of a kind in a range of numbers.
select id, kind, number, leaf, content from ledger
where kind = $kind and number between $first and $last and content is not null order by number;

-- name: shore.statement_newest
-- The newest statement of a kind among the first $size leaves.
select id, number from ledger where kind = $kind and id <= $size order by number desc limit 1;

-- name: shore.ledger_head_newest
select coalesce(max(id), 0) as id from ledger_head;

-- name: shore.ledger_head_before
-- The newest head with at most a number.
select id, checkpoint from ledger_head where id <= $id order by id desc limit 1;

-- name: shore.statement_before
-- The newest statement of some kinds up to a leaf.
select id, leaf from ledger
where id <= $id and kind in (select value from json_each($kinds)) order by id desc limit 1;
