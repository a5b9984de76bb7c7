-- Rights on the server: by default PostgreSQL lets every role make temporary tables, large objects,
-- advisory locks, log messages and snapshot files, and run code in DO blocks; here only roles to
-- which this database grants it may. It can't forbid NOTIFY, settings of the role itself, and
-- reading the catalogue, which names all roles.

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
