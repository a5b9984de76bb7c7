-- What a file that is being imported sets: it may come from anywhere.
pragma query_only = on;
pragma trusted_schema = off;
pragma cell_size_check = on;
