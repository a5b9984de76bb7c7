-- Settings of every read-only connection. A small cache and no mapped file: the system's own cache
-- holds repeatedly read pages, and a map would count as this process's memory, once for each
-- reader, without making it faster.
pragma query_only = on;
pragma cache_size = -2048;
pragma mmap_size = 0;
