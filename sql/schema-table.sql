-- The table of migrations, made before the first of them.
create table if not exists schema_migration (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_ms integer not null
);
