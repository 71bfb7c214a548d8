-- Open pages of the back office ask every few seconds whether something has changed. Such a request must not renew the
-- session: an unattended page would stay signed in for twelve hours.

create function admin.look_at_session(p_token_hash bytea)
returns table (
  id uuid, username text, display_name text, role text, is_recent boolean, must_change_password boolean
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select live.id, live.username, live.display_name, live.role, live.is_recent, live.must_change_password
  from admin.live_session live where live.token_hash in (p_token_hash, sha256(p_token_hash));
end;
comment on function admin.look_at_session is
  'The session of this token, unless it has ended, as admin.prove_session, but it does not count as used.';
revoke all on function admin.look_at_session from public;
grant execute on function admin.look_at_session to kilim_app, kilim_server;
