-- What the program's own file says of its sealed segments.

-- name: has_segments
select count(*) from sqlite_master where type = 'table' and name = 'segment';

-- name: sealed
select sum(length(header) + length(payload)) as bytes, sum(count) as readings, count(*) as segments
from segment where payload is not null;
