-- Pieces of time that have to be computed again, by what is made of them (due.ts).

-- name: due.add
insert into due (derivation, start_ms) values ($name, $start_ms) on conflict do nothing;

-- name: due.up_to
-- Those of a derivation that start by a time, the oldest first.
select start_ms from due where derivation = $name and start_ms <= $now_ms order by start_ms;

-- name: due.newest
select max(start_ms) as start_ms from due where derivation = $name;

-- name: due.is_waiting
-- 1 if a piece of a range is to be computed, or all are, which $all stands for; the newest stays
-- due until a later one begins.
select exists (
  select 1 from due where derivation = $name and (
    start_ms = $all or start_ms between $start_ms and $end_ms
      and start_ms < (select max(start_ms) from due where derivation = $name)
  )
) as is_waiting;

-- name: due.remove
delete from due where derivation = $name and start_ms = $start_ms;

-- name: due.all
-- A damaged row may hold anything, which is quoted.
select derivation, start_ms, quote(start_ms) as quoted from due;

-- name: due.remove_odd
delete from due where derivation = $derivation and quote(start_ms) = $quoted;
