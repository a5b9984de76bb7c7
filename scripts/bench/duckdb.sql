-- The same wide table in DuckDB. Times are ms since 1970; {...} is filled in.

-- name: create
create table reading (timestamp bigint primary key, {definitions});

-- name: load
copy reading from '{file}' (format csv, header false);

-- name: parquet
copy (select * from reading order by timestamp) to '{file}' (format parquet, compression zstd);

-- name: history
select * from reading where timestamp >= {start} order by timestamp;

-- name: buckets
select timestamp // {width} * {width} as bucket, {aggregates}, count(*) as recordCount
from reading where timestamp >= {start} group by 1 order by 1;

-- name: total
select count(*) from reading;

-- name: page
select * from reading order by timestamp limit {limit} offset {offset};

-- name: runtime
select timestamp, {runtime} from reading order by timestamp limit {limit};

-- name: latest
select * from reading order by timestamp desc limit 1;
