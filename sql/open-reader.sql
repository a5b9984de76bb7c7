-- What every read-only connection sets.
pragma query_only = on;
pragma cache_size = -8192;
pragma mmap_size = 268435456;
