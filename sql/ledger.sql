-- The ledger: its leaves, and the signed heads.

-- name: ledger.add
insert into ledger (id, kind, number, leaf, content, nodes)
values ($id, $kind, $number, $leaf, $content, $nodes);

-- name: ledger.nodes
select nodes from ledger where id = $id;

-- name: ledger.kinds
-- Number of leaves of a kind: their numbers have no gap.
select coalesce(max(number), 0) as count from ledger where kind = $kind;

-- name: ledger.of
-- The leaf of a link or of a statement.
select id, kind, number, leaf, content from ledger where kind = $kind and number = $number;

-- name: ledger.page
-- The next leaves, to be verified.
select id, kind, number, leaf, content, nodes from ledger where id > $id order by id limit $limit;

-- name: ledger.statements
-- All statements of a kind, in their order.
select id, kind, number, leaf, content from ledger where kind = $kind order by number;

-- name: ledger.newest_statements
-- The newest statements of a kind, newest first.
select id, kind, number, leaf, content from ledger where kind = $kind
order by number desc limit $limit;

-- name: ledger.clear
delete from ledger;

-- name: ledger_head.add
insert into ledger_head (id, at_ms, origin, size, reason, checkpoint, ssh_signature, checksum)
values ($id, $at_ms, $origin, $size, $reason, $checkpoint, $ssh_signature, $checksum);

-- name: ledger_head.give_out
-- Changes a head that was signed for another reason to one that is given out.
update ledger_head set at_ms = $at_ms, reason = $reason, checksum = $checksum where id = $id;

-- name: ledger_head.newest
select id, at_ms, origin, size, reason, checkpoint, ssh_signature from ledger_head
order by id desc limit 1;

-- name: ledger_head.exported
-- Time of the last head signed for an export.
select at_ms from ledger_head where reason = 'export' order by id desc limit 1;

-- name: ledger_head.page
select id, at_ms, origin, size, reason, checkpoint, ssh_signature from ledger_head
order by id desc limit $limit offset $offset;

-- name: ledger_head.count
select count(*) as count from ledger_head;

-- name: ledger_head.clear
delete from ledger_head;

-- name: ledger_head.after
-- The next heads, to be verified.
select * from ledger_head where id > $id order by id limit $limit;

-- name: ledger.due
-- The reasons for a head that is due, each with its newest leaf.
select name, value from mark where name in ('ledger_stop', 'ledger_export');

-- name: ledger.audit_link
-- An entry of the audit log, and the hash of the one before.
select at_ms, clock_trusted, kind, actor, address, detail,
  (select hash from audit as before where before.id = audit.id - 1) as previous
from audit where id = $id;

-- name: ledger.event_link
-- An event, and the hash of the one before.
select at_ms, event_type, description, data, source, received_ms, clock_trusted, identity,
  (select hash from event as before where before.id = event.id - 1) as previous
from event where id = $id;

-- name: ledger.unsealed
-- Number of readings of a range that aren't sealed yet.
select count(*) as count from reading where at_ms between $start_ms and $end_ms;
