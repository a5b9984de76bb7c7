-- Operations of the treatment system, and the versions of their judgements.

-- name: operation.touching
-- Operations that touch a range, by start.
select * from operation
where start_ms <= $end_ms and (end_ms is null or end_ms >= $start_ms)
order by start_ms, id;

-- name: operation.at
select * from operation where id = $id;

-- name: operation.unjudged
-- Number of operations without a judgement: they run, or ended recently.
select count(*) as count from operation where version = 0;

-- name: operation.after
-- The next operations, to be compared with their versions.
select * from operation where id > $id order by id limit $limit;

-- name: operation.kept
-- Operations of a range whose newest version wasn't given out.
select id, start_ms, end_ms, operation.verdict, made_ms from operation
join operation_version on operation_id = id and operation_version.version = operation.version
where start_ms <= $end_ms and (end_ms is null or end_ms >= $start_ms) and given_out_ms is null;

-- name: operation.page
-- Operations of a range, newest first, of a type, a place and a verdict; null for any. The verdict
-- of the newest version is compared too, since the row only repeats it and may be damaged.
select id, version from operation
where start_ms <= $end_ms and (end_ms is null or end_ms >= $start_ms)
  and ($operation_type is null or upper(operation_type) = upper($operation_type))
  and ($location is null or upper(location) = upper($location))
  and (
    $verdict is null or verdict = $verdict or $verdict = (
      select verdict from operation_version where operation_id = id
      order by operation_version.version desc limit 1
    )
  )
order by start_ms desc, id desc limit $limit;

-- name: operation.next_id
-- A number that no operation ever had. Versions are checked too, since they stay when an
-- operation's row was damaged.
select 1 + max(
  coalesce((select max(id) from operation), 0),
  coalesce((select max(operation_id) from operation_version), 0)
) as id;

-- name: operation.put
insert into operation (
  id, start_ms, end_ms, operation_type, location, known_by, verdict, version, checksum
) values (
  $id, $start_ms, $end_ms, $operation_type, $location, $known_by, $verdict, $version, $checksum
)
on conflict (id) do update set start_ms = excluded.start_ms, end_ms = excluded.end_ms,
  operation_type = excluded.operation_type, location = excluded.location,
  known_by = excluded.known_by, verdict = excluded.verdict, version = excluded.version,
  checksum = excluded.checksum;

-- name: operation.remove_unjudged
-- Removes a running operation that isn't recognised any more.
delete from operation where id = $id and version = 0;

-- name: operation.remove
-- Removes a row that its newest version contradicts; it is made again from that version.
delete from operation where id = $id;

-- name: operation.versions
-- The versions of an operation, oldest first.
select * from operation_version where operation_id = $operation_id order by version;

-- name: operation.version_after
-- The next versions of all operations.
select * from operation_version
where (operation_id, version) > ($operation_id, $version)
order by operation_id, version limit $limit;

-- name: operation.lost_rows
-- The newest version of each operation whose row is missing.
select operation_id, max(version) as version from operation_version
where operation_id not in (select id from operation) group by operation_id;

-- name: operation.put_version
insert into operation_version (
  operation_id, version, made_ms, verdict, because, rules_version, ledger_number, given_out_ms,
  record, checksum
) values (
  $operation_id, $version, $made_ms, $verdict, $because, $rules_version, $ledger_number,
  $given_out_ms, $record, $checksum
);

-- name: operation.restore_version
-- Stores a version that the ledger states; a row in its place is wrong.
insert or replace into operation_version (
  operation_id, version, made_ms, verdict, because, rules_version, ledger_number, given_out_ms,
  record, checksum
) values (
  $operation_id, $version, $made_ms, $verdict, $because, $rules_version, $ledger_number,
  $given_out_ms, $record, $checksum
);

-- name: operation.remove_version
-- Removes a version that the ledger contradicts.
delete from operation_version where operation_id = $operation_id and version = $version;

-- name: operation.mark_version
-- Updates a version that was given out, or whose statement got another number in a new tree.
update operation_version set given_out_ms = $given_out_ms, ledger_number = $ledger_number,
  checksum = $checksum
where operation_id = $operation_id and version = $version;

-- name: operation.count_versions
select count(*) as count from operation_version;

-- name: operation.events
-- The starts and stops of a range.
select id, at_ms, event_type, description, data, identity, received_ms from shown_event
where event_type in ('PROCESS_START', 'PROCESS_STOP') and at_ms between $start_ms and $end_ms
order by at_ms, id;

-- name: operation.last_event
-- The newest start or stop, by the plant's clock, and its receipt.
select at_ms, received_ms from shown_event
where event_type in ('PROCESS_START', 'PROCESS_STOP') order by at_ms desc, id desc limit 1;

-- name: operation.received
-- Receipts of an operation's data: the oldest, the newest, and the oldest after $after_ms. Of
-- sealed readings only those in the newest 64 segments count.
select min(received_ms) as oldest_ms, max(received_ms) as newest_ms,
  min(received_ms) filter (where received_ms > $after_ms) as since_ms
from (
  select received_ms from reading where at_ms between $start_ms and $end_ms
  union all
  select received_ms from event where id in ($start_event, $stop_event)
  union all
  select received_ms from event
  where event_type in ('PROCESS_START', 'PROCESS_STOP') and at_ms between $start_ms and $end_ms
  union all
  select newest_received_ms from segment_place
  where id > (select max(id) - 64 from segment_place)
    and first_ms <= $end_ms and last_ms >= $start_ms
);

-- name: operation.news
-- 1 if data of a range was received after $made_ms; sealed readings don't count.
select exists (
  select 1 from reading where at_ms between $start_ms and $end_ms and received_ms > $made_ms
  union all
  select 1 from event where at_ms between $start_ms and $end_ms and received_ms > $made_ms
    and event_type in ('PROCESS_START', 'PROCESS_STOP')
) as is_news;

-- name: operation.changed_since
-- 1 if anything but readings that affects operations in a range was received after $made_ms.
-- Changes of limits aren't counted if their clock was trusted, since they apply only from then on.
select exists (
  select 1 from event where at_ms between $start_ms and $end_ms and received_ms > $made_ms
  union all
  select 1 from void
  where start_ms <= $end_ms and end_ms >= $start_ms
    and max(made_ms, coalesce(undone_ms, 0)) > $made_ms
  union all
  select 1 from event_void
  where start_ms <= $end_ms and end_ms >= $start_ms
    and max(made_ms, coalesce(undone_ms, 0)) > $made_ms
  union all
  select 1 from clock_step where at_ms > $made_ms
  union all
  select 1 from audit where at_ms > $made_ms and kind = 'config_change'
    and (instr(detail, '"sensors.') > 0 or instr(detail, '"limits.source"') > 0
      or clock_trusted = 0 and instr(detail, '"limits.') > 0)
) as is_changed;

-- name: operation.alerts
-- The alerts that rose in a range.
select id, code, source, raised_ms from shown_alarm
where raised_ms between $start_ms and $end_ms order by raised_ms, id limit $limit;

-- name: operation.cleanings
-- The cleanings by their ends; is_doubted is 1 for one that may be withdrawn.
select id, end_ms, instr(record, '"withdrawn"') > 0 as is_doubted from operation
join operation_version on operation_id = id and operation_version.version = operation.version
where upper(trim(operation_type)) = 'CIP' and operation.verdict is null order by end_ms;

-- name: operation.starts
-- The starts of judged operations in a range, both ends included: a cleaning without length ends
-- where it starts.
select start_ms from operation
where start_ms >= $start_ms and start_ms <= $until_ms and version > 0 order by start_ms;
