-- A password that its owner just entered gets a hash of the present costs. `admin.set_password` would end sessions and
-- remembered browsers, although the password stays the same.
create function admin.renew_password_hash(p_username text, p_known_hash text, p_hash text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform admin.adopt_accounts();
  -- A new password that is set at the same time wins, because the hash is then another one.
  perform from admin.person where username = p_username and state = 'active' for update;
  if not found or admin.password_of(p_username) is distinct from p_known_hash then
    return false;
  end if;
  perform admin.place_password(p_username, p_hash);
  return true;
end
$$;
comment on function admin.renew_password_hash is
  'Replaces the hash of an unchanged password. False when the account has another hash by now.';

revoke all on function admin.renew_password_hash from public;
grant execute on function admin.renew_password_hash to kilim_app, kilim_server;
