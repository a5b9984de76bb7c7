-- Takes the folder's lock. It is held as long as the connection is open; the system frees it when
-- the process ends in any way.
begin exclusive;
