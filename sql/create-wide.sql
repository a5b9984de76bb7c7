-- Settings for a file that is being exported. It needs no journal, since it is deleted unless it is
-- completed.
pragma journal_mode = off;
pragma synchronous = off;
