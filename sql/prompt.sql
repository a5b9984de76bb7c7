-- Statements of the prompt of `ballastd sql` itself.

-- name: prompt.tables
select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite%'
order by name;

-- name: prompt.schema
-- The definitions of a table or view with its indexes; of all if $name is null.
select sql as text from sqlite_schema
where sql is not null and ($name is null or lower(tbl_name) = lower($name))
order by tbl_name, type desc, name;

-- name: prompt.secret_pages
-- The root pages of tables that hold hashes of secrets, and of their indexes.
select rootpage as page, tbl_name as name from sqlite_schema
where tbl_name in ('token', 'setting') and rootpage > 0;
