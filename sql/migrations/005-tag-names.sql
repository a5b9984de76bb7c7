-- The names of unknown tags that readings have, so that a PLC can't invent them without end. One
-- that no reading had for as long as raw readings are kept is dropped.
create table tag_name (
  name text primary key,
  seen_ms integer not null
) without rowid;
