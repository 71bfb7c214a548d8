-- The ledger records how each account may sign in, with digests in place of secrets. So an account that was changed
-- without the application differs from its newest event. Reasons: docs/decisions/0054-recorded-access.md.

create function admin.digest_of(p_text text) returns text
language sql immutable strict
set search_path = pg_catalog, pg_temp
return encode(sha256(convert_to(p_text, 'UTF8')), 'hex');
comment on function admin.digest_of is 'SHA-256 in hexadecimal; null of null.';

create function admin.list_access() returns table (
  username text, role text, state text, password text,
  passkeys text, "oneTimeCode" text, "recoveryCodes" text, link text
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select account.username, coalesce(person.role, 'owner'), coalesce(person.state, 'active'),
    -- Both places of a hash: servers of the previous release read the first one only.
    admin.digest_of(account.password_hash || coalesce(e'\n' || person.password_hash, '')),
    (
      select admin.digest_of(string_agg(
        encode(passkey.credential_id, 'hex') || ' ' || encode(passkey.public_key, 'hex'), e'\n'
        order by passkey.credential_id
      )) from admin.passkey where passkey.username = account.username
    ),
    (
      select admin.digest_of(encode(code.secret, 'hex')) from admin.one_time_code code
      where code.username = account.username and code.is_confirmed
    ),
    (
      select admin.digest_of(string_agg(encode(code.code_hash, 'hex'), e'\n' order by code.code_hash))
      from admin.recovery_code code where code.username = account.username
    ),
    (
      select admin.digest_of(encode(link.token_hash, 'hex')) from admin.password_link link
      where link.username = account.username
    )
  from admin.account left join admin.person using (username);
end;
comment on function admin.list_access is
  'How each account may sign in, with a digest in place of each secret. An account without a row in admin.person was '
  'created by a server of the previous release.';

revoke all on function admin.digest_of, admin.list_access from public;
grant usage on schema admin to kilim_verifier;
-- Rows whose events are gone. Of a customer, the verifier learns only that there is a contact.
grant select (order_id) on ledger.customer_contact to kilim_verifier;
grant select (order_id, refund_id) on ledger.refund_text to kilim_verifier;
grant select (order_id, payment_id, refund_id, kind) on ledger.effect to kilim_verifier;
grant select on sequence ledger.event_position_seq to kilim_verifier;
-- kilim_app, because behind a pooler servers of both releases share sessions of this role.
grant execute on function admin.list_access to kilim_app, kilim_server, kilim_verifier;
