-- Reads the wide table of an exported SQLite file. wide.generated.sql, made from the catalogue,
-- defines its columns.

-- name: wide.rows
-- All rows in order of time. No columns are named, since a file may have only some of them.
select * from reading order by timestamp;

-- name: wide.cells
-- As wide.rows, for a file that may come from a stranger: an empty blob stands for a cell of more
-- than $max_bytes, which SQLite would otherwise give whole, up to a gigabyte. The one cell is
-- repeated for each column before use.
select iif(octet_length(timestamp) > $max_bytes, x'', timestamp) as timestamp
from reading order by reading.timestamp;
