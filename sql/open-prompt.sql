-- Settings of the connection of `ballastd sql`, besides open-reader.sql. Sorting uses limited
-- memory and no disk. The table is in the temporary schema, so that it is found before the table of
-- hot readings, which is then main.reading.
pragma temp_store = memory;
pragma query_only = off;
create virtual table temp.reading using readings;
pragma query_only = on;
