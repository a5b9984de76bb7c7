-- The same wide table in PostgreSQL. Times are timestamptz; {...} and :'...' are filled in.

-- name: create
create table reading (
  timestamp timestamptz primary key,
  {definitions}
);

-- name: copy
copy reading (timestamp, {columns}) from stdin (format csv);

-- name: vacuum
vacuum analyze reading;

-- name: size
select pg_total_relation_size('reading');

-- name: day_raw
select * from reading
where timestamp >= (select max(timestamp) from reading) - interval '24 hours' order by timestamp;

-- name: raw_480
select * from reading
where timestamp >= (select max(timestamp) from reading) - :'hours'::int * interval '1 hour'
order by timestamp;

-- name: day_buckets
select date_trunc('day', timestamp, 'UTC') as bucket, {aggregates}, count(*) from reading
where timestamp >= (select max(timestamp) from reading) - interval '720 hours'
group by 1 order by 1;

-- name: hour_buckets
select date_trunc('hour', timestamp, 'UTC') as bucket, {aggregates}, count(*) from reading
where timestamp >= (select max(timestamp) from reading) - interval '720 hours'
group by 1 order by 1;

-- name: all_days
select date_trunc('day', timestamp, 'UTC') as bucket, {aggregates}, count(*) from reading
group by 1 order by 1;

-- name: page_total
select count(*) from reading;

-- name: page
select * from reading order by timestamp limit 500 offset :'offset'::int;

-- name: runtime
select timestamp, {runtime} from reading order by timestamp limit 10000;
