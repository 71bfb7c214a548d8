-- When a session proved who the person is. A server seals a session with these instants, so that they cannot be moved.

create function admin.session_times(p_id uuid) returns table (authenticated text, factor text)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select extract(epoch from authenticated_at)::text, extract(epoch from second_factor_at)::text
  from admin.session where id = p_id;
end;
comment on function admin.session_times is
  'Seconds since 1970 of the last password and of the last second factor of a session.';
revoke all on function admin.session_times from public;
grant execute on function admin.session_times to kilim_app, kilim_server;
