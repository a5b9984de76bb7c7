-- Pieces of time that have to be computed again, by what is made of them (due.ts).

-- name: due.add
insert into due (derivation, start_ms) values ($name, $start_ms) on conflict do nothing;

-- name: due.up_to
-- Those of a derivation that start by a time, the oldest first.
select start_ms from due where derivation = $name and start_ms <= $now_ms order by start_ms;

-- name: due.newest
select max(start_ms) as start_ms from due where derivation = $name;

-- name: due.remove
delete from due where derivation = $name and start_ms = $start_ms;

-- name: due.all
-- A damaged row may hold anything, which is quoted.
select derivation, start_ms, quote(start_ms) as quoted from due;

-- name: due.remove_odd
delete from due where derivation = $derivation and quote(start_ms) = $quoted;
