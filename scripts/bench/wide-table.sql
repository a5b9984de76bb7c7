-- What one would write by hand: a column for each field, the time (ms since 1970) as the key, GROUP
-- BY for buckets, OFFSET for pages. {...}: the columns, which follow from the catalogue.

-- name: create
create table reading (
  timestamp integer primary key,
  {definitions}
);

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
