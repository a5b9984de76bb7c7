-- Spans whose readings are hidden.

-- name: void.active
-- Those that hide something, by their beginning.
select start_ms, end_ms from void where undone_ms is null order by start_ms;

-- name: void.all
-- Newest first.
select id, start_ms, end_ms, reason, made_ms, undone_ms from void order by id desc;

-- name: void.at
select id, start_ms, end_ms, reason, made_ms, undone_ms from void where id = $id;

-- name: void.add
insert into void (start_ms, end_ms, reason, made_ms)
values ($start_ms, $end_ms, $reason, $made_ms);

-- name: void.undo
update void set undone_ms = $undone_ms where id = $id;
