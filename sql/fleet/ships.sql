-- What the office's commands do to ships. Only a superuser or an owner of roles can call these.

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
  -- A line that fell silent counts until keepalive has found it.
  execute format('create role %I login connection limit 4 in role fleet_ship', role);
  execute format('alter role %I set tcp_keepalives_idle = 60', role);
  execute format('alter role %I set tcp_keepalives_interval = 15', role);
  execute format('alter role %I set tcp_keepalives_count = 4', role);
  execute format('alter role %I set statement_timeout = %L', role, '10min');
  execute format('alter role %I set idle_in_transaction_session_timeout = %L', role, '1min');
  -- Sorts of hers could fill the server's disk. She can't undo this one; only who may set it can
  -- give it.
  if has_parameter_privilege('temp_file_limit', 'set') then
    execute format('alter role %I set temp_file_limit = %L', role, '64MB');
  end if;
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
