-- When the readings of a segment lie, once more: a row of `segment` that is damaged or gone can't
-- tell in which answers it is missing. Used for such rows alone.
create table segment_place (
  id integer primary key,
  first_ms integer not null,
  last_ms integer not null
);
