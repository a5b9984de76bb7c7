-- Spans of time whose events are hidden, as `void` has those of readings; numbered with them.
create table event_void (
  id integer primary key,
  start_ms integer not null,
  end_ms integer not null,
  reason text not null,
  made_ms integer not null,
  undone_ms integer
);
create index event_void_active on event_void (start_ms, end_ms) where undone_ms is null;

-- Events as they are answered: without those that are hidden.
create view shown_event as
select * from event where not exists (
  select 1 from event_void where undone_ms is null
    and event.at_ms between event_void.start_ms and event_void.end_ms
);
