-- What every read-only connection sets. A small cache and no mapped file: the system's own cache
-- holds what is asked again, and a map counts as this process's memory, once for each reader,
-- without making it faster.
pragma query_only = on;
pragma cache_size = -2048;
pragma mmap_size = 0;
