-- The audit log, and the settings with which it compares a start.

-- name: audit.add
insert into audit (id, at_ms, clock_trusted, kind, actor, address, detail, hash)
values ($id, $at_ms, $clock_trusted, $kind, $actor, $address, $detail, $hash);

-- name: audit.page
-- Entries, newest first, in the order of writing: a clock that was set back hides nothing.
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where at_ms between $start_ms and $end_ms
order by id desc limit $limit offset $offset;

-- name: audit.page_of_kind
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where kind = $kind and at_ms between $start_ms and $end_ms
order by id desc limit $limit offset $offset;

-- name: audit.of_kind_and_id
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where kind = $kind and id = $id;

-- name: audit.of_key
-- The note or handover that was stored under a key.
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where kind = $kind and iif(json_valid(detail), detail ->> '$.key', null) = $key
order by id limit 1;

-- name: audit.keys
-- The key of each note or handover, and the key of the one that it corrects.
select id, detail ->> '$.key' as key, detail ->> '$.corrects' as corrects
from (select id, iif(json_valid(detail), detail, '{}') as detail from audit where kind = $kind)
order by id;

-- name: audit.notes
-- Notes that touch a range, the latest moment first; an unreadable note counts at its own time.
select id, at_ms, clock_trusted, kind, actor, address, detail, hash
from (
  select *, coalesce(
    iif(json_valid(detail), detail ->> '$.from', null),
    strftime('%Y-%m-%dT%H:%M:%fZ', at_ms / 1000.0, 'unixepoch')
  ) as starts
  from audit where kind = 'note'
)
where starts <= $end
  and coalesce(iif(json_valid(detail), detail ->> '$.to', null), starts) >= $start
order by starts desc, id desc limit $limit;

-- name: audit.newest_of_kind
select id, at_ms from audit where kind = $kind order by id desc limit 1;

-- name: audit.count
select count(*) as count from audit where at_ms between $start_ms and $end_ms;

-- name: audit.count_of_kind
select count(*) as count from audit
where kind = $kind and at_ms between $start_ms and $end_ms;

-- name: audit.chain
-- The next links of the chain, to be verified or exported.
select id, at_ms, clock_trusted, kind, actor, address, detail, hash
from audit where id > $id order by id limit $limit;

-- name: audit.hash
select hash from audit where id = $id;

-- name: audit.last_run
-- The last entry about a run. A start without a stop was cut off.
select kind, at_ms from audit where kind in ('start', 'stop') order by id desc limit 1;

-- name: setting.all
-- All columns, since a file from before migration 4 has no checksums.
select * from setting;

-- name: setting.put
insert into setting (key, value, salt, checksum) values ($key, $value, $salt, $checksum)
on conflict (key) do update
  set value = excluded.value, salt = excluded.salt, checksum = excluded.checksum;

-- name: setting.remove
delete from setting where key = $key;

-- name: audit.limit_changes
-- Changes of the limits, newest first, each with the time from which it counts: that of its entry
-- or, if the box's clock wasn't trusted, that of the last entry or event before with a trusted
-- clock.
select detail, iif(clock_trusted, at_ms, max(
  coalesce((
    select before.at_ms from audit as before
    where before.id < audit.id and before.clock_trusted = 1 order by before.id desc limit 1
  ), 0),
  coalesce((
    select received_ms from event
    where clock_trusted = 1 and event.id <= (
      select number from ledger
      where kind = 'event'
        and id < (select id from ledger where kind = 'audit' and number = audit.id)
      order by number desc limit 1
    )
    order by event.id desc limit 1
  ), 0)
)) as from_ms
from audit where kind = 'config_change' and detail like '%"limits.%' order by id desc;

-- name: audit.config_changes
-- All changes of the configuration, oldest first.
select detail from audit where kind = 'config_change' order by id;

-- name: audit.voids
-- The entries about voids, in the order in which they were made and undone.
select at_ms, detail from audit where kind = 'void' order by id;

-- name: audit.newest_spares
-- The newest number of spare lamps.
select at_ms, detail from audit where kind = 'lamp_spares' order by id desc limit 1;

-- name: audit.lost
-- Salvages that lost entries of the audit log.
select id from (
  select id, iif(json_valid(detail), detail, '{}') as detail from audit where kind = 'salvage'
)
where json_array_length(detail, '$.losses') < detail ->> 'losses_count' or exists (
  select 1 from json_each(detail, '$.losses') where value ->> 'what' = 'audit'
)
limit 1;

-- name: audit.changes
-- The entries for the handover of a watch, newest first.
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where kind in ('start', 'unclean_stop', 'settings', 'config_change', 'lamp_spares', 'void')
  and at_ms between $start_ms and $end_ms
order by id desc limit $limit;
