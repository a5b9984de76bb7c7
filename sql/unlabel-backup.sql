-- Makes a copy the database again.
drop table if exists backup;
drop table if exists backup_file;
