-- Settings of a connection that copies: it may write, but only to the new file.
pragma cache_size = -8192;
