-- The roles, the schema and its version. fleet_owner owns everything and never logs in;
-- fleet_ship may call six functions; fleet_reader reads, for an office's tools:
-- grant fleet_reader to grafana;

\set ON_ERROR_STOP on
set client_min_messages = warning;
begin;
-- Short, since a statement that waits for a lock makes all later ones wait behind it.
set local lock_timeout = '5s';

do $$
declare
  wanted text;
begin
  foreach wanted in array array['fleet_owner', 'fleet_ship', 'fleet_reader'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
      execute format('create role %I nologin', wanted);
    end if;
  end loop;
end $$;

create schema if not exists fleet authorization fleet_owner;
grant usage on language plpgsql to fleet_owner;
