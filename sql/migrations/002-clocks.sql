-- Times of receipt that the box's clock told wrongly, by what is known now: it is trusted though it
-- is earlier than these. The readings themselves stay as they were received.
create table disowned (
  id integer primary key,
  from_ms integer not null,
  to_ms integer not null,
  made_ms integer not null,
  reason text not null
);
