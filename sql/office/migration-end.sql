insert into fleet.migration (version) values (:version);
\endif
