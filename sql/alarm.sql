-- Alerts: ballastd's own alarms, and the treatment system's.

-- name: alarm.active
-- Code and subject of ballastd's own active alarms.
select code, about from alarm where is_open = 1 and source = 'ballastd' and cleared_ms is null;

-- name: alarm.active_count
-- Number of active alarms of a code.
select count(*) as count from alarm
where is_open = 1 and source = 'ballastd' and code = $code and cleared_ms is null;

-- name: alarm.raise
insert into alarm (source, code, about, raised_ms, last_ms, is_open, description, data, identity)
values ($source, $code, $about, $at_ms, $at_ms, $is_open, $description, $data, $identity)
returning id;

-- name: alarm.last
-- The last stored of ballastd's own alarms with a code and subject. By id: after the clock was set
-- back, its times aren't the newest.
select id, cleared_ms, is_open, description from alarm where id = (
  select max(id) from alarm where source = 'ballastd' and code = $code and about = $about
);

-- name: alarm.keep_past
-- Keeps the state of a cleared alarm before it changes.
insert into alarm_past
  (alarm_id, until_ms, count, cleared_ms, is_open, acknowledged_ms, description, data)
select id, $until_ms, count, cleared_ms, is_open, acknowledged_ms, description, data
from alarm where id = $id and cleared_ms is not null;

-- name: alarm.forget_past
-- Deletes past states: all but the last $of_one of an alarm, and all but the last $of_all.
delete from alarm_past
where id <= (select max(id) from alarm_past) - $of_all or id in (
  select id from alarm_past where alarm_id = $id order by id desc limit -1 offset $of_one
);

-- name: alarm.again
-- Makes a cleared alarm active again; it has to be acknowledged anew.
update alarm set cleared_ms = null, is_open = 1, count = count + 1, last_ms = max(last_ms, $at_ms),
  acknowledged_ms = null, acknowledged_by = null, acknowledged_note = null,
  description = $description, data = $data
where id = $id;

-- name: alarm.repeat
-- Counts a further rise of an active alarm.
update alarm set count = count + 1, last_ms = max(last_ms, $at_ms)
where source = 'ballastd' and code = $code and about = $about and is_open = 1;

-- name: alarm.close
-- Closes an alarm whose place a newer one takes.
update alarm set is_open = 0 where id = $id;

-- name: alarm.clear
-- Clears an active alarm. $stays is 1 if it stays open until it is acknowledged.
update alarm
set cleared_ms = max($cleared_ms, last_ms), is_open = $stays and acknowledged_ms is null
where is_open = 1 and source = 'ballastd' and code = $code and about = $about
  and cleared_ms is null;

-- name: alarm.clear_all
-- Clears every active alarm of a code.
update alarm
set cleared_ms = max($cleared_ms, last_ms), is_open = $stays and acknowledged_ms is null
where is_open = 1 and source = 'ballastd' and code = $code and cleared_ms is null;

-- name: alarm.count
-- Number of alarms of a code raised in a span.
select count(*) as count from alarm
where source = 'ballastd' and code = $code and raised_ms between $since_ms and $until_ms;

-- name: alarm.received_again
-- A further rise of an open alarm of the treatment system; if it had ended before, it is active
-- again.
update alarm set count = count + 1, cleared_ms = iif($at_ms >= cleared_ms, null, cleared_ms),
  last_ms = max(last_ms, $at_ms), raised_ms = min(raised_ms, $at_ms)
where source = 'plc' and code = $code and about = $about and is_open = 1 returning id;

-- name: alarm.late_again
-- A further rise of a closed alarm of the treatment system near that time: both were received too
-- late.
update alarm set count = count + 1, cleared_ms = iif($at_ms >= cleared_ms, null, cleared_ms),
  last_ms = max(last_ms, $at_ms), raised_ms = min(raised_ms, $at_ms)
where id = (
  select id from alarm
  where source = 'plc' and code = $code and about = $about and last_ms >= $at_ms - $near_ms
    and raised_ms <= $at_ms + $near_ms and is_open = 0 and acknowledged_ms is null
  order by last_ms limit 1
) returning id;

-- name: alarm.received_ended
-- The open alarm of the treatment system that ended up to a time.
select id, cleared_ms from alarm
where source = 'plc' and code = $code and about = $about and is_open = 1 and cleared_ms <= $at_ms;

-- name: alarm.received_same
-- The treatment system's newest alarm of a code and parameter that rose up to a time.
select id, about, cleared_ms from alarm
where source = 'plc' and code = $code and about = $about and last_ms <= $at_ms
order by last_ms desc limit 1;

-- name: alarm.received_before
-- The treatment system's newest alarm of each parameter of a code, among the last $of alerts up to
-- a time.
select id, about, cleared_ms, max(last_ms) as last_ms from (
  select * from alarm where last_ms <= $at_ms order by last_ms desc, id desc limit $of
)
where source = 'plc' and code = $code group by about;

-- name: alarm.received_cased
-- The treatment system's newest alarm whose code differs at most in case, among the last $of alerts
-- up to a time.
select code, about from (
  select * from alarm where last_ms <= $at_ms order by last_ms desc, id desc limit $of
)
where source = 'plc' and lower(code) = lower($code) order by lower(about) = lower($about) desc
limit 1;

-- name: alarm.received_end
-- Sets the first end after the alarm's last rise.
update alarm set cleared_ms = $at_ms
where id = $id and last_ms <= $at_ms and (cleared_ms is null or cleared_ms > $at_ms);

-- name: alarm.ends_after
-- Ends of alarms among the next $of after a time that may be of a code, given plain and as JSON
-- text.
select at_ms, event_type, description, data, identity from (
  select * from event where event_type = 'ALARM_CLEARED' and at_ms > $at_ms
  order by at_ms, id limit $of
)
where instr(lower(data), lower($quoted)) > 0 or instr(lower(description), lower($code)) > 0
order by at_ms, id;

-- name: alarm.received_open
select count(*) as count from alarm where source = 'plc' and is_open = 1 and code <> $shared;

-- name: alarm.closed_lately
-- Alarms among the treatment system's newest $of that were received since a time and are closed
-- without having been acknowledged, and have no newer or open alarm of their code and parameter.
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
-- Ids of the alerts in a range, newest first.
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
-- Alarms of the treatment system that were acknowledged, or came as late data, and whose end it
-- hasn't reported. Left out are codes with a later alarm that has ended.
select id from shown_alarm as one
where is_open = 0 and identity is not null and cleared_ms is null
  and last_ms >= $start_ms and raised_ms <= $end_ms
  and not exists (
    select 1 from shown_alarm as later
    where later.code = one.code and later.last_ms > one.last_ms and later.cleared_ms is not null
  )
order by last_ms desc, id desc limit $limit;

-- name: alarm.stored
-- An alert with all columns. Only an alarm of the treatment system has an identity, that of its
-- event; the source follows from it, so that a damaged text can't name a third one.
select id, iif(identity is null, 'ballastd', 'plc') as source, code, raised_ms, last_ms, count,
  cleared_ms, is_open, acknowledged_ms, acknowledged_by, acknowledged_note, shelved_until_ms,
  shelved_by, shelved_reason, description, data, identity
from alarm where id = $id;

-- name: alarm.of_event
-- The alarm whose event's identity is between two.
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
-- The state of each open alert.
select id, iif(identity is null, 'ballastd', 'plc') as source, code, last_ms, cleared_ms,
  acknowledged_ms, is_open, shelved_until_ms
from shown_alarm where is_open = 1;

-- name: alarm.received_codes
-- Beginnings only, since descriptions and data may have a megabyte each.
select substr(description, 1, $chars) as description, substr(
  iif(json_valid(data) and json_type(data, '$.code') = 'text', data ->> '$.code', null), 1, $chars
) as code
from shown_event where event_type = 'ALARM_TRIGGERED' and source <> 'ballastd'
  and at_ms >= $start_ms
order by at_ms desc, id desc limit $limit;

-- name: alarm.marks
-- A text for each open alert that changes with it.
select id,
  printf('%s %s %s %s %s %s %s %s', raised_ms, last_ms, count, cleared_ms, acknowledged_ms,
    shelved_until_ms, shelved_until_ms > $now_ms, shelved_reason) as mark
from shown_alarm where is_open = 1;

-- name: alarm.last_id
select coalesce(max(id), 0) as id from alarm;

-- name: alarm.after
select id from shown_alarm where id > $id order by id limit $limit;

-- name: alarm.open_at
-- Alerts that were open at a time. past_id is the row with the alert's state at that time; null:
-- its own row.
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
