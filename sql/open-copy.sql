-- What a connection sets that copies: it may write, but only ever to the new file.
pragma cache_size = -8192;
