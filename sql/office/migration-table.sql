-- The table of the schema's migrations. A database with a newer schema is refused.

set local role fleet_owner;

create table if not exists fleet.migration (
  version integer primary key,
  applied timestamptz not null default now()
);

set local fleet.known = :'known';
do $$
declare
  known integer := current_setting('fleet.known');
  found integer := (select max(version) from fleet.migration);
begin
  if found > known then
    raise exception 'the database has schema % of the fleet, this ballastd knows %: use the newer '
      'ballastd', found, known;
  end if;
end $$;
