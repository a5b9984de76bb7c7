-- The folder's lock: held as long as the connection is open, freed by the system when the process
-- ends, however it ends.
begin exclusive;
