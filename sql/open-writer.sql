-- Settings of every read-write connection. synchronous belongs to the connection and is compiled as
-- NORMAL for a file that is in WAL already: without FULL a commit isn't on disk when it is
-- acknowledged. auto_vacuum takes effect only in an empty file; it lets pages that sealing leaves
-- empty be returned to the system.
pragma auto_vacuum = incremental;
pragma journal_mode = wal;
pragma synchronous = full;
pragma journal_size_limit = 16777216;
pragma wal_autocheckpoint = 250;
pragma cache_size = -8192;
pragma foreign_keys = on;
-- Short, since this is the only writer: a slow reader must not delay a commit or a checkpoint.
pragma busy_timeout = 100;
