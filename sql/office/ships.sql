-- What the office's commands do to ships. Only a superuser or an owner of roles can call these.

-- Limits of a ship's role. Those of the second list she can't undo; only who may set them can give
-- them. Sorts of hers could fill the server's disk, and so could the log:
-- an error has all of what it is about, and she may ask for it again and again.
create or replace function fleet.limit_role(role name) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  setting text[];
begin
  -- A line that fell silent counts until keepalive has found it.
  foreach setting slice 1 in array array[
    ['tcp_keepalives_idle', '60'], ['tcp_keepalives_interval', '15'], ['tcp_keepalives_count', '4'],
    ['statement_timeout', '10min'], ['idle_in_transaction_session_timeout', '1min']
  ] loop
    execute format('alter role %I set %I = %L', role, setting[1], setting[2]);
  end loop;
  foreach setting slice 1 in array array[
    ['temp_file_limit', '64MB'], ['log_min_messages', 'fatal'], ['log_min_error_statement', 'panic']
  ] loop
    if has_parameter_privilege(setting[1], 'set') then
      execute format('alter role %I set %I = %L', role, setting[1], setting[2]);
    end if;
  end loop;
end $$;

-- Makes the role of a new key and answers its name. A ship has one key at a time: each gets a role
-- of its own, so that an old one is refused by name, on a standby too, without lists of revoked
-- certificates. Two calls at a time make the same role, which one of them can't.
create or replace function fleet.add_ship(ship text, name text) returns name
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  role name;
  stored record;
begin
  -- Without a lock: a session of hers may hold her row.
  select s.added, s.revoked into stored from fleet.ship as s where s.ship = add_ship.ship;
  if stored.added is not null and stored.revoked is null then
    perform fleet.refuse('FL005', format('%s is there since %s', ship,
      to_char(stored.added at time zone 'UTC', 'YYYY-MM-DD')));
  end if;
  select format('ship_%s_%s', ship, 1 + count(*)) into role
  from pg_roles where starts_with(rolname, format('ship_%s_', ship));
  execute format('create role %I login connection limit 4 in role fleet_ship', role);
  perform fleet.limit_role(role);
  insert into fleet.ship as s (ship, role, name) values (ship, role, name)
  on conflict (ship) do update set role = excluded.role, name = excluded.name, revoked = null;
  return role;
end $$;

-- Bars a ship's key and answers its role. When that is committed, its sessions are to be ended, and
-- then the ship is marked as revoked: one of them may hold her row locked for as long as it likes.
create or replace function fleet.bar_ship(ship text) returns name
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  role name;
begin
  select s.role into role from fleet.ship as s where s.ship = bar_ship.ship and s.revoked is null;
  if role is null then
    perform fleet.refuse('FL005', format('%s is no ship of this fleet, or revoked', ship));
  end if;
  execute format('alter role %I nologin', role);
  return role;
end $$;
