-- Limits on refunds: what is refunded on a day of the business counts for one person and for the shop. Servers of the
-- previous release know no limits; refunds that they make count all the same.

create function ledger.refunded_on_day(p_at timestamptz, p_time_zone text, p_except text)
returns table (requested_by text, amount_cents bigint)
language sql stable
set search_path = pg_catalog, pg_temp
begin atomic
  select refund.requested_by, sum(refund.amount_cents)::bigint
  from ledger.refund_history refund
  where refund.requested_at >= date_trunc('day', p_at at time zone p_time_zone) at time zone p_time_zone
    and refund.origin = 'admin' and refund.status <> 'failed' and refund.refund_id <> p_except
  group by refund.requested_by;
end;
comment on function ledger.refunded_on_day is
  'What each person has refunded since the day of the instant began: pending and completed refunds, except one.';

-- An append asks this first, in the same statement. The lock lasts until the append is committed, so that concurrent
-- refunds at several servers count each other.
create function ledger.confirm_refund_limits(
  p_refund_id text, p_person text, p_amount bigint, p_at timestamptz, p_time_zone text,
  p_most_of_one bigint, p_most_by_person bigint, p_most_by_all bigint
) returns boolean
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_by_person bigint;
  v_by_all bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('refund-limits', 0));
  -- A command that is repeated after a lost answer: the append finds that it is recorded.
  if exists (select from ledger.refund_history where refund_id = p_refund_id) then
    return true;
  end if;
  select coalesce(sum(amount_cents) filter (where requested_by = p_person), 0), coalesce(sum(amount_cents), 0)
  into v_by_person, v_by_all
  from ledger.refunded_on_day(p_at, p_time_zone, p_refund_id);
  if p_amount > p_most_of_one
    or v_by_person + p_amount > p_most_by_person
    or v_by_all + p_amount > p_most_by_all then
    raise exception 'the refund exceeds a limit' using errcode = 'KL001';
  end if;
  return true;
end
$$;
comment on function ledger.confirm_refund_limits is
  'Lets a refund pass that stays within the limits, and raises KL001 for another one. Concurrent refunds wait.';

revoke execute on function ledger.refunded_on_day, ledger.confirm_refund_limits from public;
grant execute on function ledger.refunded_on_day, ledger.confirm_refund_limits to kilim_server;
-- Behind a pooler, servers of both releases share sessions of this role.
grant execute on function ledger.refunded_on_day, ledger.confirm_refund_limits to kilim_app;

create function admin.has_proven_within(p_session_id uuid, p_seconds int) returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select coalesce(
    case when admin.has_second_factor(session.username) then session.second_factor_at else session.authenticated_at end
      > clock_timestamp() - make_interval(secs => p_seconds),
    false)
  from admin.session where session.id = p_session_id;
end;
comment on function admin.has_proven_within is
  'Whether the person of the session proved who they are in these last seconds: with the second factor if the account '
  'has one, else with the password.';
revoke execute on function admin.has_proven_within from public;
grant execute on function admin.has_proven_within to kilim_server, kilim_app;
