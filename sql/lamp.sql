-- Lamp lives: states of the tracker, the engineer's statements, the last forecast run, and scores
-- of past forecasts.

-- name: lamp.states
-- The stored states of the tracker, newest first. Of another version only those whose readings have
-- expired, since nothing could recompute them.
with expired as (select value as at_ms from mark where name = 'raw_from_ms')
select through_ms, version, state, checksum from lamp_state
where version = $version or exists (
  select 1 from expired where lamp_state.through_ms <= (
    select min(kept.through_ms) from lamp_state as kept where kept.through_ms >= expired.at_ms
  )
)
order by through_ms desc;

-- name: lamp.put_state
insert or replace into lamp_state (through_ms, version, state, checksum)
values ($through_ms, $version, $state, $checksum);

-- name: lamp.newest_state
select max(through_ms) as at_ms from lamp_state;

-- name: lamp.forget_states
-- Deletes states that a late reading or the engineer's statement contradicts. After raw readings
-- have expired, the first state after them and those before stay, since nothing could recompute
-- them.
with expired as (select value as at_ms from mark where name = 'raw_from_ms')
delete from lamp_state where through_ms >= $at_ms and not exists (
  select 1 from expired where lamp_state.through_ms <= (
    select min(kept.through_ms) from lamp_state as kept where kept.through_ms >= expired.at_ms
  )
);

-- name: lamp.told_from
-- The earliest time after which lives can be recomputed: readings before it have expired. Null if
-- none have.
select coalesce(
  (select min(through_ms) from lamp_state where through_ms >= expired.value), expired.value
) as at_ms
from mark as expired where expired.name = 'raw_from_ms' and expired.value > 0;

-- name: lamp.thin_states
-- Deletes states that aren't needed: of those before the newest, only the last of each calendar
-- month stays, and of those whose readings have expired only the newest.
delete from lamp_state where through_ms < (select max(through_ms) from lamp_state) and (
  through_ms not in (
    select max(through_ms) from lamp_state
    where through_ms < (select max(through_ms) from lamp_state)
    group by strftime('%Y-%m', through_ms / 1000, 'unixepoch')
  )
  or through_ms < coalesce((
    select max(through_ms) from lamp_state
    where through_ms <= (select value from mark where name = 'raw_from_ms')
  ), 0)
);

-- name: lamp.words
-- The engineer's statements, in the order in which they were made.
select position, at_ms, replaced, hours, serial, note from lamp_word order by id;

-- name: lamp.count_words
select count(*) as count from lamp_word;

-- name: lamp.add_word
insert into lamp_word (position, at_ms, replaced, hours, serial, note)
values ($position, $at_ms, $replaced, $hours, $serial, $note);

-- name: lamp.run
select at_ms, hours, signature from lamp_run where id = 1;

-- name: lamp.put_run
insert or replace into lamp_run (id, at_ms, hours, signature)
values (1, $at_ms, $hours, $signature);

-- name: lamp.forget_run
-- Makes the next run forecast the lamps again, since no lamps have this signature.
update lamp_run set signature = '';

-- name: lamp.scores
select * from lamp_score;

-- name: lamp.put_score
insert or replace into lamp_score values (
  $position, $began_ms, $basis, $end_h, $through_ms, $tallies, $checksum
);

-- name: lamp.remove_score
-- Removes the score of a lamp that hasn't ended after all, or never existed.
delete from lamp_score where position = $position and began_ms = $began_ms;
