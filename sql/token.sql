-- Bearer tokens.

-- name: token.all
select name, role, hash, added_ms from token order by name;

-- name: token.add
-- A name that is taken stays whose it is.
insert into token (name, role, hash, added_ms) values ($name, $role, $hash, $added_ms)
on conflict (name) do nothing;

-- name: token.remove
delete from token where name = $name returning role;
