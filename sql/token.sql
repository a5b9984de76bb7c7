-- Bearer tokens.

-- name: token.all
select name, role, hash, added_ms from token order by name;

-- name: token.add
-- Stores a new token; an existing one of the same name stays.
insert into token (name, role, hash, added_ms) values ($name, $role, $hash, $added_ms)
on conflict (name) do nothing;

-- name: token.remove
delete from token where name = $name returning role;
