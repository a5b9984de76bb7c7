-- Settings for a file that is being imported, which may come from a stranger.
pragma query_only = on;
pragma trusted_schema = off;
pragma cell_size_check = on;
