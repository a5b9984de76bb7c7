-- Functions of the office's commands for ships. Only a superuser or an owner of roles can call
-- them.

-- Sets the limits of a ship's role. The role can't undo those of the second list; only a role with
-- the right to set them can give them. A ship's sorts could fill the server's disk, and so could
-- the log: an error has the whole statement, and the ship may cause it again and again.
create or replace function fleet.limit_role(role name) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  setting text[];
begin
  -- A broken connection counts against the limit until keepalive has found it.
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

-- Makes the role of a new key and returns its name. A ship has one key at a time. Each key gets its
-- own role, so that an old one is refused by name, also on a standby, without lists of revoked
-- certificates. Of two calls at the same time one fails, since both make the same role.
create or replace function fleet.add_ship(ship text, name text) returns name
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '5s' as $$
#variable_conflict use_column
declare
  role name;
  stored record;
begin
  -- Read without a lock, since a session of the ship may hold its row.
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

-- Bars a ship's key and returns its role. After the commit the caller ends its sessions and then
-- marks the ship as revoked: a session may hold the ship's row locked for any time.
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
