-- What a file that is being exported sets: it is thrown away unless it is finished, so that no
-- journal is needed until then.
pragma journal_mode = off;
pragma synchronous = off;
