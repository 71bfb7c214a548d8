-- A BFF that logs in without the owner's rights reads here, at its start, whether the database is as new as its code.
grant usage on schema kilim to kilim_app;
grant select on kilim.migration to kilim_app;
