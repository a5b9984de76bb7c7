-- Names of unknown tags, each with the approximate time of its last reading.

-- name: tag.names
select name, seen_ms from tag_name;

-- name: tag.count
select count(*) as count from tag_name;

-- name: tag.put
insert into tag_name (name, seen_ms) values ($name, $seen_ms)
on conflict (name) do update set seen_ms = excluded.seen_ms;

-- name: tag.expire
delete from tag_name where seen_ms < $before_ms;
