-- From now on a migration may remove an object that the previous release no longer uses. Such a migration replaces
-- the function below, so that servers of still older releases stop taking payments instead of failing in the middle.

create function kilim.oldest_release() returns text
language sql stable
return '0.1.0';
comment on function kilim.oldest_release is
  'The oldest release whose servers can use this schema. Every server compares it with its own release, at its start '
  'and every few seconds. It is a function and not a row, so that it is part of the schema and of every dump.';
revoke all on function kilim.oldest_release from public;
grant execute on function kilim.oldest_release to kilim_app;
