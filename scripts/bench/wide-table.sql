-- What one would write by hand: a column for each field, the time (ms since 1970) as the key, GROUP
-- BY for buckets, OFFSET for pages. {...}: the columns, which follow from the catalogue.

-- name: create
create table reading (
  timestamp integer primary key,
  {definitions}
);

-- name: keep_buckets
-- Hours and days kept by triggers, for readings that come once: one that replaced another would
-- count twice.
create table bucket_hour (
  timestamp integer primary key,
  recordCount integer not null,
  {bucket_definitions}
);
create table bucket_day (
  timestamp integer primary key,
  recordCount integer not null,
  {bucket_definitions}
);
create trigger add_to_hour after insert on reading begin
  insert into bucket_hour values (new.timestamp / 3600000 * 3600000, 1, {bucket_new})
  on conflict (timestamp) do update set recordCount = recordCount + 1, {bucket_added};
end;
create trigger add_to_day after insert on reading begin
  insert into bucket_day values (new.timestamp / 86400000 * 86400000, 1, {bucket_new})
  on conflict (timestamp) do update set recordCount = recordCount + 1, {bucket_added};
end;

-- name: kept_hours
select timestamp, {bucket_rows}, recordCount from bucket_hour
where timestamp >= :start_ms / :width_ms * :width_ms order by timestamp;

-- name: kept_days
select timestamp, {bucket_rows}, recordCount from bucket_day
where timestamp >= :start_ms / :width_ms * :width_ms order by timestamp;

-- name: insert
insert into reading (timestamp, {columns}) values (?, {parameters});

-- name: latest
select * from reading order by timestamp desc limit 1;

-- name: history
-- The last :hours.
select * from reading
where timestamp >= (select max(timestamp) from reading) - :hours * 3600000
order by timestamp;

-- name: buckets
-- Buckets of :width_ms from :start_ms on.
select timestamp / :width_ms * :width_ms as timestamp, {aggregates}, count(*) as recordCount
from reading
where timestamp >= :start_ms
group by 1 order by 1;

-- name: total
select count(*) from reading where timestamp between :start_ms and :end_ms;

-- name: page
select * from reading
where timestamp between :start_ms and :end_ms
order by timestamp limit :limit offset :offset;

-- name: runtime
-- The oldest readings: by hand one would not thin them out.
select timestamp, {runtime} from reading order by timestamp limit :limit;

-- name: month
select avg(UVR_INTENSITY), avg(UVR_POWER_OUTPUT), avg(SYS_FLOW_RATE) from reading
where timestamp >= :start_ms;
