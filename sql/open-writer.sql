-- What every read-write connection sets. synchronous is per connection and compiled to NORMAL for
-- a file that is in WAL already: without FULL a commit isn't on disk when it is acknowledged.
-- auto_vacuum takes effect only before anything is in the file: pages that sealing leaves empty can
-- then be given back.
pragma auto_vacuum = incremental;
pragma journal_mode = wal;
pragma synchronous = full;
pragma journal_size_limit = 16777216;
pragma wal_autocheckpoint = 250;
pragma cache_size = -8192;
pragma foreign_keys = on;
-- It is the only writer: whoever reads for long must not hold up a commit, or a checkpoint.
pragma busy_timeout = 100;
