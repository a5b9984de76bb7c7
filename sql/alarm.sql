-- Alerts: ballastd's own alarms, and the treatment system's.

-- name: alarm.active
-- What is wrong now, by ballastd's own finding.
select code, about from alarm where is_open = 1 and source = 'ballastd' and cleared_ms is null;

-- name: alarm.active_count
-- How many of a code are active.
select count(*) as count from alarm
where is_open = 1 and source = 'ballastd' and code = $code and cleared_ms is null;

-- name: alarm.raise
insert into alarm (source, code, about, raised_ms, last_ms, is_open, description, data, identity)
values ($source, $code, $about, $at_ms, $at_ms, $is_open, $description, $data, $identity)
returning id;

-- name: alarm.last
-- The one of ballastd's own of a code that was stored last: after the clock was set back its times
-- aren't the newest.
select id, cleared_ms, is_open, description from alarm where id = (
  select max(id) from alarm where source = 'ballastd' and code = $code and about = $about
);

-- name: alarm.keep_past
-- How a cleared one stands, before it changes.
insert into alarm_past
  (alarm_id, until_ms, count, cleared_ms, is_open, acknowledged_ms, description, data)
select id, $until_ms, count, cleared_ms, is_open, acknowledged_ms, description, data
from alarm where id = $id and cleared_ms is not null;

-- name: alarm.forget_past
-- All but the last $of_one of one, and all but the last $of_all.
delete from alarm_past
where id <= (select max(id) from alarm_past) - $of_all or id in (
  select id from alarm_past where alarm_id = $id order by id desc limit -1 offset $of_one
);

-- name: alarm.again
-- One goes on, and has to be acknowledged anew.
update alarm set cleared_ms = null, is_open = 1, count = count + 1, last_ms = max(last_ms, $at_ms),
  acknowledged_ms = null, acknowledged_by = null, acknowledged_note = null,
  description = $description, data = $data
where id = $id;

-- name: alarm.repeat
-- One that is active rose again.
update alarm set count = count + 1, last_ms = max(last_ms, $at_ms)
where source = 'ballastd' and code = $code and about = $about and is_open = 1;

-- name: alarm.close
-- A newer alert takes its place.
update alarm set is_open = 0 where id = $id;

-- name: alarm.clear
-- $stays is 1 for those that stay until they are acknowledged.
update alarm
set cleared_ms = max($cleared_ms, last_ms), is_open = $stays and acknowledged_ms is null
where is_open = 1 and source = 'ballastd' and code = $code and about = $about
  and cleared_ms is null;

-- name: alarm.clear_all
-- Every alarm of a code that is active.
update alarm
set cleared_ms = max($cleared_ms, last_ms), is_open = $stays and acknowledged_ms is null
where is_open = 1 and source = 'ballastd' and code = $code and cleared_ms is null;

-- name: alarm.count
-- How many of a code rose in a span.
select count(*) as count from alarm
where source = 'ballastd' and code = $code and raised_ms between $since_ms and $until_ms;

-- name: alarm.received_again
-- The treatment system raised one again that nobody has acknowledged; one that had ended lasts.
update alarm set count = count + 1, cleared_ms = iif($at_ms >= cleared_ms, null, cleared_ms),
  last_ms = max(last_ms, $at_ms), raised_ms = min(raised_ms, $at_ms)
where source = 'plc' and code = $code and about = $about and is_open = 1 returning id;

-- name: alarm.late_again
-- The treatment system's alarm of that time, which came too late as well.
update alarm set count = count + 1, cleared_ms = iif($at_ms >= cleared_ms, null, cleared_ms),
  last_ms = max(last_ms, $at_ms), raised_ms = min(raised_ms, $at_ms)
where id = (
  select id from alarm
  where source = 'plc' and code = $code and about = $about and last_ms >= $at_ms - $near_ms
    and raised_ms <= $at_ms + $near_ms and is_open = 0 and acknowledged_ms is null
  order by last_ms limit 1
) returning id;

-- name: alarm.received_ended
-- The open one of the treatment system that ended before a time.
select id, cleared_ms from alarm
where source = 'plc' and code = $code and about = $about and is_open = 1 and cleared_ms <= $at_ms;

-- name: alarm.received_same
-- The treatment system's newest of a code and parameter that rose up to a time.
select id, about, cleared_ms from alarm
where source = 'plc' and code = $code and about = $about and last_ms <= $at_ms
order by last_ms desc limit 1;

-- name: alarm.received_before
-- Its newest of each parameter of a code, among the last $of alerts up to a time.
select id, about, cleared_ms, max(last_ms) as last_ms from (
  select * from alarm where last_ms <= $at_ms order by last_ms desc, id desc limit $of
)
where source = 'plc' and code = $code group by about;

-- name: alarm.received_cased
-- Its newest whose code differs from one at most in case, among the last $of alerts up to a time.
select code, about from (
  select * from alarm where last_ms <= $at_ms order by last_ms desc, id desc limit $of
)
where source = 'plc' and lower(code) = lower($code) order by lower(about) = lower($about) desc
limit 1;

-- name: alarm.received_end
-- The first end after it rose last.
update alarm set cleared_ms = $at_ms
where id = $id and last_ms <= $at_ms and (cleared_ms is null or cleared_ms > $at_ms);

-- name: alarm.ends_after
-- The next ends of alarms after a time that may be of a code, as JSON has it too.
select at_ms, event_type, description, data, identity from (
  select * from event where event_type = 'ALARM_CLEARED' and at_ms > $at_ms
  order by at_ms, id limit $of
)
where instr(lower(data), lower($quoted)) > 0 or instr(lower(description), lower($code)) > 0
order by at_ms, id;

-- name: alarm.received_open
select count(*) as count from alarm where source = 'plc' and is_open = 1 and code <> $shared;

-- name: alarm.closed_lately
-- The treatment system's newest that are closed though nobody has acknowledged them, nothing newer
-- is of their code and parameter, and none of these is open; of those received since a time.
select alarm.id, event.at_ms, event.received_ms
from (select * from alarm where source = 'plc' order by id desc limit $of) as alarm
join event on event.identity = alarm.identity
where alarm.is_open = 0 and alarm.acknowledged_ms is null
  and event.received_ms >= $since_ms and event.clock_trusted = 1
  and not exists (
    select 1 from alarm as other
    where other.source = 'plc' and other.code = alarm.code and other.about = alarm.about
      and (other.id > alarm.id or other.is_open = 1)
  )
order by alarm.id;

-- name: alarm.reopen
update alarm set is_open = 1 where id = $id;

-- name: alarm.newest
-- Ids, newest first.
select id from shown_alarm
where last_ms >= $start_ms and raised_ms <= $end_ms and (
  $state is null
  or $state = iif(cleared_ms is not null, 'cleared', iif(source = 'plc', 'unknown', 'active'))
)
order by last_ms desc, id desc limit $limit;

-- name: alarm.newest_open
select id from shown_alarm
where is_open = 1 and last_ms >= $start_ms and raised_ms <= $end_ms
order by last_ms desc, id desc limit $limit;

-- name: alarm.end_not_reported
-- The treatment system's that were acknowledged, or came with a history, and whose end it hasn't
-- reported; without those of a code that came again later and has ended.
select id from shown_alarm as one
where is_open = 0 and identity is not null and cleared_ms is null
  and last_ms >= $start_ms and raised_ms <= $end_ms
  and not exists (
    select 1 from shown_alarm as later
    where later.code = one.code and later.last_ms > one.last_ms and later.cleared_ms is not null
  )
order by last_ms desc, id desc limit $limit;

-- name: alarm.stored
-- Only those of the treatment system have an identity, which is their event's; the source follows
-- from it, so that a damaged text names no third one.
select id, iif(identity is null, 'ballastd', 'plc') as source, code, raised_ms, last_ms, count,
  cleared_ms, is_open, acknowledged_ms, acknowledged_by, acknowledged_note, shelved_until_ms,
  shelved_by, shelved_reason, description, data, identity
from alarm where id = $id;

-- name: alarm.of_event
-- The one whose event's identity lies between two.
select id from alarm where identity between $first and $last;

-- name: alarm.acknowledge
update alarm set acknowledged_ms = $acknowledged_ms, acknowledged_by = $acknowledged_by,
  acknowledged_note = $acknowledged_note,
  is_open = source = 'ballastd' and cleared_ms is null
where id = $id;

-- name: alarm.shelve
update alarm set shelved_until_ms = $shelved_until_ms, shelved_by = $shelved_by,
  shelved_reason = $shelved_reason
where id = $id;

-- name: alarm.open
-- The state of each that is open.
select id, iif(identity is null, 'ballastd', 'plc') as source, code, last_ms, cleared_ms,
  acknowledged_ms, is_open, shelved_until_ms
from shown_alarm where is_open = 1;

-- name: alarm.received_codes
-- Beginnings only: descriptions and data may have a megabyte each.
select substr(description, 1, $chars) as description, substr(
  iif(json_valid(data) and json_type(data, '$.code') = 'text', data ->> '$.code', null), 1, $chars
) as code
from shown_event where event_type = 'ALARM_TRIGGERED' and source <> 'ballastd'
  and at_ms >= $start_ms
order by at_ms desc, id desc limit $limit;

-- name: alarm.marks
-- What may change of each open one, as a text.
select id,
  printf('%s %s %s %s %s %s %s %s', raised_ms, last_ms, count, cleared_ms, acknowledged_ms,
    shelved_until_ms, shelved_until_ms > $now_ms, shelved_reason) as mark
from shown_alarm where is_open = 1;

-- name: alarm.last_id
select coalesce(max(id), 0) as id from alarm;

-- name: alarm.after
select id from shown_alarm where id > $id order by id limit $limit;

-- name: alarm.open_at
-- Those that were open at a time, each with the row that tells how it stood then: past_id null for
-- its own.
select alarm.id, past.id as past_id, iif(alarm.identity is null, 'ballastd', 'plc') as source,
  alarm.code, alarm.last_ms,
  iif(past.id is null, alarm.cleared_ms, past.cleared_ms) as cleared_ms,
  iif(past.id is null, alarm.acknowledged_ms, past.acknowledged_ms) as acknowledged_ms
from shown_alarm as alarm left join alarm_past as past on past.id = (
  select id from alarm_past where alarm_id = alarm.id and until_ms > $at_ms order by id limit 1
)
where raised_ms <= $at_ms and iif(past.id is null,
  alarm.is_open = 1 or alarm.cleared_ms > $at_ms or alarm.acknowledged_ms > $at_ms,
  past.is_open = 1 or past.cleared_ms > $at_ms or past.acknowledged_ms > $at_ms
)
order by alarm.id;

-- name: alarm.past
select count, cleared_ms, acknowledged_ms, description, data from alarm_past where id = $id;
