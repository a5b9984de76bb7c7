-- psql runs the migration that follows only if it hasn't been run.
select not exists (select from fleet.migration where version = :version) as wanted \gset
\if :wanted
