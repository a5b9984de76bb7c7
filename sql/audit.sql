-- The audit log, and what it compares a start with.

-- name: audit.add
insert into audit (id, at_ms, clock_trusted, kind, actor, address, detail, hash)
values ($id, $at_ms, $clock_trusted, $kind, $actor, $address, $detail, $hash);

-- name: audit.page
-- Newest first, by the order in which they were written: a clock that was set back hides nothing.
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where at_ms between $start_ms and $end_ms
order by id desc limit $limit offset $offset;

-- name: audit.page_of_kind
select id, at_ms, clock_trusted, kind, actor, address, detail, hash from audit
where kind = $kind and at_ms between $start_ms and $end_ms
order by id desc limit $limit offset $offset;

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
-- How the latest run began or ended: a start without a stop was cut off.
select kind, at_ms from audit where kind in ('start', 'stop') order by id desc limit 1;

-- name: setting.all
select key, value, salt from setting;

-- name: setting.put
insert into setting (key, value, salt) values ($key, $value, $salt)
on conflict (key) do update set value = excluded.value, salt = excluded.salt;

-- name: setting.remove
delete from setting where key = $key;
