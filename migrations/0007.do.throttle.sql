-- How often somebody did something lately, counted together by all processes. Whom a key stands for is hidden in a keyed hash.
-- Unlogged: counts are no facts, cost no disk flush, and a database that crashed may forget them. The columns, by name and order, are those that
-- the package rate-limiter-flexible writes.
create unlogged table kilim.throttle (
  key text collate "C" primary key,
  points integer not null,
  -- Milliseconds since 1970, by the clocks of the processes.
  expire bigint
) with (fillfactor = 50);

grant select, insert, update, delete on kilim.throttle to kilim_app;
