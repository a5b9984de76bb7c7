-- What every read-write connection sets. synchronous is per connection and compiled to NORMAL for
-- a file that is in WAL already: without FULL a commit isn't on disk when it is acknowledged.
pragma journal_mode = wal;
pragma synchronous = full;
pragma journal_size_limit = 16777216;
pragma wal_autocheckpoint = 250;
pragma cache_size = -8192;
pragma foreign_keys = on;
