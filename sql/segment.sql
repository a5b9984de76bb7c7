-- Sealed readings and their chain.

-- name: segment.unexpired
-- Number of segments before a time that still have their readings.
select count(*) as count from segment not indexed
where last_ms < $before_ms and payload is not null;

-- name: segment.newest
-- The number of the newest segment, or null.
select max(id) as id from segment;

-- name: segment.since
-- Segments between the numbers $id and $end, without their payloads.
select id, first_ms, last_ms, count, header, payload_hash, hash from segment
where id > $id and id < $end order by id;

-- name: segment.bytes
-- All parts of a segment and the hash of the link before; `payload` is null if it has expired.
select id, first_ms, last_ms, count, header, payload, payload_hash, hash,
  (select hash from segment where id = $id - 1) as previous
from segment where id = $id;

-- name: segment.add
insert into segment
  (id, first_ms, last_ms, count, payload_hash, hash, thin, header, payload)
values
  ($id, $first_ms, $last_ms, $count, $payload_hash, $hash, $thin, $header, $payload);

-- name: segment.thin
-- The thinned part of a segment, and the hash with which it is proven.
select thin, payload_hash from segment where id = $id;

-- name: segment.chain
-- The next links of the chain, to be verified.
select id, first_ms, last_ms, count, thin, header, payload, payload_hash, hash
from segment where id > $id order by id limit $limit;

-- name: segment.put_place
insert into segment_place (id, first_ms, last_ms, count, newest_received_ms, checksum)
values ($id, $first_ms, $last_ms, $count, $newest_received_ms, $checksum);

-- name: segment.places
-- The places of the segments after $id, at most $limit; -1 for all.
select id, first_ms, last_ms, count, newest_received_ms, checksum
from segment_place where id > $id order by id limit $limit;

-- name: segment.hash
select hash from segment where id = $id;

-- name: segment.empty
-- The segments without a payload that end at $start_ms or later.
select id from segment not indexed where payload is null and last_ms >= $start_ms;

-- name: segment.expire
-- Drops a segment's payload and its thinned part.
update segment set thin = null, payload = null where id = $id and payload is not null;

-- name: chain.head
select count, hash from chain_head where chain = $chain;

-- name: chain.strange
-- Heads of no chain.
select chain from chain_head where chain not in ('segment', 'event', 'audit', 'ledger', 'head');

-- name: chain.move
insert into chain_head (chain, count, hash) values ($chain, $count, $hash)
on conflict (chain) do update set count = excluded.count, hash = excluded.hash;

-- name: chain.remove
delete from chain_head where chain = $chain;
