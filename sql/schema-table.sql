-- Makes the table of migrations, before the first of them runs.
create table if not exists schema_migration (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_ms integer not null
);
