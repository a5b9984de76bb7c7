-- What makes a copy of the database a backup: when, by which program, whose and why; and the small
-- files of the data folder, the token's among them.
create table backup (
  made_ms integer not null,
  version text not null,
  system_id text not null,
  reason text not null
);
create table backup_file (
  name text primary key,
  content blob not null
) without rowid;
