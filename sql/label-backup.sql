-- What makes a copy of the database a backup: the how manieth of its folder, when, by which
-- program, whose and why, and what of it isn't what was stored (null: nothing); and the small files
-- of the data folder, the token's among them, each with its SHA-256.
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
