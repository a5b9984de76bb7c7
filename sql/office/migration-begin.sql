-- Makes psql run the following migration only if it hasn't been run.
select not exists (select from fleet.migration where version = :version) as wanted \gset
\if :wanted
