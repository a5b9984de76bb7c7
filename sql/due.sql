-- Pieces of time to be computed again, by derivation (due.ts).

-- name: due.add
insert into due (derivation, start_ms) values ($name, $start_ms) on conflict do nothing;

-- name: due.up_to
-- A derivation's pieces that start up to a time, oldest first.
select start_ms from due where derivation = $name and start_ms <= $now_ms order by start_ms;

-- name: due.newest
select max(start_ms) as start_ms from due where derivation = $name;

-- name: due.is_waiting
-- 1 if a piece of the range is due, or if all pieces are, for which $all stands. The newest piece
-- doesn't count: it stays due until a later one begins.
select exists (
  select 1 from due where derivation = $name and (
    start_ms = $all or start_ms between $start_ms and $end_ms
      and start_ms < (select max(start_ms) from due where derivation = $name)
  )
) as is_waiting;

-- name: due.remove
delete from due where derivation = $name and start_ms = $start_ms;

-- name: due.all
-- All rows. A damaged row may hold any value, which is quoted.
select derivation, start_ms, quote(start_ms) as quoted from due;

-- name: due.remove_odd
delete from due where derivation = $derivation and quote(start_ms) = $quoted;
