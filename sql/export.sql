-- Reads the wide table of an exported SQLite file. wide.generated.sql, made from the catalogue,
-- defines its columns.

-- name: wide.rows
-- All rows in order of time. No columns are named, since a file may have only some of them.
select * from reading order by timestamp;

-- name: wide.encoding
-- Encoding of all texts of the file: UTF-8, UTF-16le or UTF-16be.
select encoding from pragma_encoding;

-- name: wide.cells
-- As wide.rows, for a file that may come from a stranger: an empty blob stands for a cell of more
-- than $max_bytes, which SQLite would otherwise give whole, up to a gigabyte, and for a blob. Text
-- is given as its bytes, because bytes that aren't UTF-8 would come as U+FFFD. The one cell is
-- repeated for each column before use.
select iif(
  octet_length(timestamp) > $max_bytes or typeof(timestamp) = 'blob', x'',
  iif(typeof(timestamp) = 'text' and timestamp <> '', cast(timestamp as blob), timestamp)
) as timestamp
from reading order by reading.timestamp;
