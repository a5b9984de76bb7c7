-- Rights in the schema: a ship's role may call the six functions, and readers read.

revoke all on all functions in schema fleet from public;
revoke all on all tables in schema fleet from public, fleet_ship, fleet_reader;
revoke all on schema fleet from public;
grant usage on schema fleet to fleet_ship, fleet_reader;
grant execute on function
  fleet.hello(uuid, text, jsonb),
  fleet.put_link(uuid, text, integer, bytea, bytea, bytea, bytea, bytea),
  fleet.put_payload(uuid, text, integer, bytea, bytea),
  fleet.put_object(uuid, integer, bytea),
  fleet.put_document(uuid, text, text, bigint, jsonb),
  fleet.lost_segment(integer, bytea, integer, bytea)
to fleet_ship;
grant select on all tables in schema fleet to fleet_reader;
grant insert (ship, wanted) on fleet.request to fleet_reader;
grant execute on function
  fleet.json_of(bytea), fleet.number_of(jsonb), fleet.time_of(double precision)
to fleet_reader;
