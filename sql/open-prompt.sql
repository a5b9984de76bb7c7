-- What the connection of `ballastd sql` sets beside open-reader.sql. Sorting takes memory, which is
-- limited, and no disk. The table stands in the temporary schema, so that it is found before the
-- table of hot readings, which is main.reading then.
pragma temp_store = memory;
pragma query_only = off;
create virtual table temp.reading using readings;
pragma query_only = on;
