-- Removes the label, which makes a copied backup a database again.
drop table if exists backup;
drop table if exists backup_file;
