-- The tables that make a copy of the database a backup. The label has its number in its folder, its
-- time, the program's version, the system, the reason, and the damage in its data (null: none). The
-- files are the small ones of the data folder, with the token, each with its SHA-256.
create table backup (
  number integer not null,
  made_ms integer not null,
  version text not null,
  system_id text not null,
  reason text not null,
  damage text
);
create table backup_file (
  name text primary key,
  content blob not null,
  sha256 blob not null
) without rowid;
