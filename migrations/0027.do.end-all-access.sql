-- One function ends all access of a person, also a sign-in that waits for the second factor.

create function admin.end_all_access(p_username text, p_keep_session uuid) returns integer
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  delete from admin.session where username = p_username and id is distinct from p_keep_session;
  get diagnostics v_ended = row_count;
  delete from admin.pending_sign_in where username = p_username;
  -- A person who knew the old password may have signed in from a browser of their own.
  delete from admin.known_browser where username = p_username;
  delete from admin.password_link where username = p_username;
  return v_ended;
end
$$;
comment on function admin.end_all_access is
  'Ends the sessions of the account but one, sign-ins that wait for the second factor, the knowledge of its browsers '
  'and the validity of its link. Returns how many sessions ended.';
revoke all on function admin.end_all_access from public;

create or replace function admin.end_access(p_username text) returns integer
language sql
set search_path = pg_catalog, pg_temp
return admin.end_all_access(p_username, null);

create or replace function admin.set_password(
  p_username text, p_hash text, p_must_change boolean, p_keep_session uuid
) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform admin.adopt_accounts();
  -- This locks the account until the transaction ends, so two changes run one after the other.
  update admin.person set must_change_password = p_must_change where username = p_username and state = 'active';
  if not found then
    return null;
  end if;
  update admin.account set password_changed_at = clock_timestamp() where username = p_username;
  perform admin.place_password(p_username, p_hash);
  v_ended := admin.end_all_access(p_username, p_keep_session);
  update admin.session set proof_hash = null where username = p_username;
  return v_ended;
end
$$;
