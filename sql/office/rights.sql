-- Rights: a ship's role may call the six functions. By default PostgreSQL lets every role make
-- temporary tables, large objects, advisory locks, log messages and snapshot files, and run code in
-- DO blocks; here only roles to which this database grants it may. It can't forbid NOTIFY, settings
-- of the role itself, and reading the catalogue, which names all roles.

revoke all on all functions in schema fleet from public;
revoke all on all tables in schema fleet from public, fleet_ship, fleet_reader;
revoke all on schema fleet from public;
grant usage on schema fleet to fleet_ship, fleet_reader;
grant execute on function
  fleet.hello(uuid, text, jsonb),
  fleet.put_link(uuid, text, integer, bytea, bytea, bytea, bytea, bytea),
  fleet.put_payload(uuid, text, integer, bytea, bytea),
  fleet.put_object(uuid, integer, bytea),
  fleet.put_document(uuid, text, text, bigint, jsonb),
  fleet.lost_segment(integer, bytea, integer, bytea)
to fleet_ship;
grant select on all tables in schema fleet to fleet_reader;
grant insert (ship, wanted) on fleet.request to fleet_reader;
grant execute on function
  fleet.json_of(bytea), fleet.number_of(jsonb), fleet.time_of(double precision)
to fleet_reader;

reset role;

revoke usage on language plpgsql from public;
revoke all on schema public from public;
do $$
declare
  routine regprocedure;
begin
  execute format('revoke all on database %I from public', current_database());
  -- No compilation: plans over partitions are long but quick to run, and compiling them takes
  -- seconds.
  execute format('alter database %I set jit = off', current_database());
  execute format('grant connect on database %I to fleet_ship, fleet_reader', current_database());
  for routine in
    select oid::regprocedure from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and proname ~
        '^(lo_|lowrite$|loread$|pg_(try_)?advisory_|'
        'pg_(notify|logical_emit_message|export_snapshot)$)'
  loop
    execute format('revoke execute on function %s from public', routine);
  end loop;
end $$;

do $$
declare
  role name;
begin
  for role in
    select rolname from pg_catalog.pg_roles join fleet.ship on ship.role = rolname
    where revoked is null and not coalesce('log_min_messages=fatal' = any(rolconfig), false)
  loop
    perform fleet.limit_role(role);
  end loop;
end $$;

commit;
