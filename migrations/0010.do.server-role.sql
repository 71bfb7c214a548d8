-- The role of the servers from this release on. kilim_app may write checkpoints, findings, jobs, effects, notifications
-- and request counts directly, so one SQL injection could hide a pending refund or stop the sealing of the ledger.
-- kilim_server may write them only through functions that check what they are asked.
--
-- kilim_app keeps its privileges, because servers of the previous release need them. It gets the functions, too: behind
-- a connection pooler, servers of both releases share sessions, until the operator revokes kilim_app from the login.

-- Roles belong to the cluster, not to the database, so they may exist already.
-- kilim_server: the role of the BFF.
-- kilim_verifier: as kilim_report, and may store the result of a proof of the ledger.
do $$
declare
  v_role name;
  v_member name;
begin
  foreach v_role in array array['kilim_server', 'kilim_verifier'] loop
    begin
      if not exists (select from pg_roles where rolname = v_role) then
        execute format('create role %I nologin', v_role);
      end if;
      if not exists (
        select from pg_auth_members where roleid = v_role::regrole and member = current_user::regrole and set_option
      ) then
        execute format('grant %I to %I', v_role, current_user);
      end if;
    exception
      -- Another database of the same cluster is being migrated at the same time, and created the role first.
      when duplicate_object or unique_violation then
        execute format('grant %I to %I', v_role, current_user);
      when insufficient_privilege then
        raise exception 'this login may not create or grant the role %. If it is the owner, then as a superuser: '
          'create role % nologin (unless it exists), grant % to % with admin option',
          v_role, v_role, v_role, quote_ident(current_user) using errcode = 'insufficient_privilege';
    end;
  end loop;
  if not pg_has_role('kilim_verifier', 'kilim_report', 'member') then
    grant kilim_report to kilim_verifier;
  end if;
  -- The logins of running servers. A server of this release takes the role kilim_server.
  for v_member in
    select pg_get_userbyid(member) from pg_auth_members
    where roleid = 'kilim_app'::regrole and not pg_has_role(member, 'kilim_server', 'member')
  loop
    execute format('grant kilim_server to %I', v_member);
  end loop;
end
$$;

-- Reading, and what functions checked already

grant usage on schema kilim, ledger, image to kilim_server;
grant select on kilim.migration to kilim_server;
grant execute on function kilim.oldest_release to kilim_server;
grant select on
  ledger.event, ledger.command, ledger.checkpoint, ledger.cluster, ledger.effect, ledger.job, ledger.square_hint,
  ledger.finding, ledger.order_summary, ledger.refund_history, ledger.customer_contact,
  ledger.order_day, ledger.refund_day, ledger.money_day, ledger.day_progress, ledger.payout_entry
to kilim_server;
grant execute on function
  ledger.append_to_order, ledger.append_to_stream, ledger.event_hash,
  ledger.current_epoch, ledger.compare_cluster, ledger.record_recovery,
  ledger.forget_contact, ledger.search_words, ledger.contact_words, ledger.word_beginning, ledger.search_query,
  ledger.orders_with_words, ledger.orders_with_common_word,
  ledger.start_of_day, ledger.money_between, ledger.count_order_days, ledger.count_refund_days, ledger.count_days,
  ledger.counted_to, ledger.orders_since, ledger.touched_order_days, ledger.touched_refund_days,
  ledger.order_days_now, ledger.refund_days_now, ledger.money_days_now,
  ledger.list_payout_entries, ledger.forget_old_hints
to kilim_server;
-- Pictures: a row is checked by a constraint, and never changed.
grant select, insert on image.kept to kilim_server;

-- Checkpoints

create function ledger.add_checkpoint(
  p_sequence integer,
  p_from_epoch smallint,
  p_from_xid xid8,
  p_epoch smallint,
  p_xid xid8,
  p_events bigint,
  p_root bytea,
  p_note text
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_last ledger.checkpoint;
begin
  select * into v_last from ledger.checkpoint order by sequence desc limit 1;
  if v_last.sequence >= p_sequence then
    return false;
  end if;
  if p_sequence <> coalesce(v_last.sequence, 0) + 1
    or (p_from_epoch, p_from_xid) is distinct from (coalesce(v_last.epoch, 0::smallint), coalesce(v_last.xid, '0'))
  then
    raise exception 'The checkpoint % does not follow the last one', p_sequence using errcode = 'KLM03';
  end if;
  -- Later events would be behind a horizon that lies ahead, and could never be sealed.
  if p_epoch <> ledger.current_epoch() or p_xid > pg_snapshot_xmin(pg_current_snapshot()) then
    raise exception 'The checkpoint % covers transactions that have not ended', p_sequence using errcode = 'KLM03';
  end if;
  if not exists (
    select from ledger.event
    where (event.epoch, event.xid) >= (p_from_epoch, p_from_xid) and (event.epoch, event.xid) < (p_epoch, p_xid)
  ) or p_note is null or not starts_with(p_note, format(E'kilim/ledger\n%s\n', p_sequence)) or length(p_note) > 10000
  then
    raise exception 'The checkpoint % seals nothing', p_sequence using errcode = 'KLM03';
  end if;
  insert into ledger.checkpoint (sequence, from_epoch, from_xid, epoch, xid, events, root, note)
  values (p_sequence, p_from_epoch, p_from_xid, p_epoch, p_xid, p_events, p_root, p_note)
  on conflict (sequence) do nothing;
  return found;
end
$$;
comment on function ledger.add_checkpoint is
  'The only way for servers to add a checkpoint. It must continue the last one, end at transactions that have ended, '
  'and cover an event. False when another server was faster. PostgreSQL cannot check the signature: `ledger verify` '
  'and the next seal do.';

-- Findings

create function ledger.keep_finding(p_name text, p_report jsonb) returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_report is null or jsonb_typeof(p_report) <> 'object' or octet_length(p_report::text) > 4 * 1024 * 1024 then
    raise exception 'The finding % is not a report', p_name using errcode = 'KLM03';
  end if;
  insert into ledger.finding (name, report) values (p_name, p_report)
  on conflict (name) do update set made_at = clock_timestamp(), report = excluded.report;
end
$$;

comment on function ledger.keep_finding is 'Replaces a finding. The functions below call it.';

create function ledger.remember_comparison(p_name text, p_report jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_name is null or p_name not in ('books', 'reconciliation') then
    raise exception 'A server does not make the finding %', p_name using errcode = 'KLM03';
  end if;
  perform ledger.keep_finding(p_name, p_report);
end
$$;
comment on function ledger.remember_comparison is 'Replaces the latest result of a comparison that servers make.';

create function ledger.remember_verification(p_report jsonb) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  select ledger.keep_finding('verification', p_report);
end;
comment on function ledger.remember_verification is
  'Replaces the latest result of a proof of the ledger. Servers may not call it: an attacker in a server could '
  'otherwise tell people that a changed ledger is whole.';

-- Jobs

create function ledger.take_job(p_name text, p_every_seconds double precision) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_name is null or p_name !~ '^[a-z][a-z0-9-]{0,39}$'
    or p_every_seconds is null or p_every_seconds not between 1 and 31 * 86400
  then
    raise exception 'There is no job % every % s', p_name, p_every_seconds using errcode = 'KLM03';
  end if;
  insert into ledger.job (name, due_at)
  values (p_name, clock_timestamp() + make_interval(secs => p_every_seconds))
  on conflict (name) do update set due_at = excluded.due_at
  where job.due_at <= clock_timestamp() or job.due_at > excluded.due_at;
  return found;
end
$$;
comment on function ledger.take_job is
  'Whether the caller has to do the job now. The job is due again after the interval. One that is due later than one '
  'interval from now counts as due, so no caller can switch a job off for longer than its interval.';

create function ledger.postpone_job(p_name text, p_seconds double precision) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_seconds is null or p_seconds not between 0 and 86400 then
    raise exception 'The job % cannot wait % s', p_name, p_seconds using errcode = 'KLM03';
  end if;
  update ledger.job set due_at = clock_timestamp() + make_interval(secs => p_seconds) where name = p_name;
end
$$;
comment on function ledger.postpone_job is 'Makes a job due after these seconds, at most a day.';

-- Effects

create function ledger.take_effect(p_key text, p_fence integer, p_beat integer, p_wait_seconds integer) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 60 then
    raise exception 'Nothing holds an effect for % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.effect set fence = fence + 1, beat = beat + 1, wait_seconds = p_wait_seconds
  where key = p_key and state = 'open' and fence = p_fence and beat = p_beat;
  return found;
end
$$;
comment on function ledger.take_effect is 'False when the effect has changed since (fence, beat) was read.';

create function ledger.claim_effect(p_key text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.effect set fence = 1, beat = beat + 1 where key = p_key and state = 'open' and fence = 0;
  return found;
end
$$;
comment on function ledger.claim_effect is 'Takes an effect from the request that opened it.';

create function ledger.beat_effect(p_key text, p_fence integer) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.effect set beat = beat + 1 where key = p_key and state = 'open' and fence = p_fence;
  return found;
end
$$;
comment on function ledger.beat_effect is 'False when the effect is closed, or another process has taken it over.';

create function ledger.release_effect(p_key text, p_fence integer, p_wait_seconds integer) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 3600 then
    raise exception 'An effect cannot wait % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.effect set beat = beat + 1, wait_seconds = p_wait_seconds
  where key = p_key and state = 'open' and fence = p_fence;
  return found;
end
$$;
comment on function ledger.release_effect is 'Lets other processes take the effect after these seconds.';

create function ledger.close_effect(p_key text, p_fence integer) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.effect set state = 'done'
  where key = p_key and state = 'open' and fence = p_fence
    and not exists (
      select from ledger.order_summary summary
      where effect.kind = 'charge' and summary.order_id = effect.order_id
        and summary.payment_id = effect.payment_id and summary.payment_status = 'processing'
    )
    and not exists (
      select from ledger.refund_history refund
      where refund.refund_id = effect.refund_id and refund.status = 'pending'
        and (effect.kind = 'follow_refund' or refund.square_refund_id is null)
    );
  return found;
end
$$;
comment on function ledger.close_effect is
  'Closes an effect whose outcome the ledger has already. The row of the order or of the refund shows it: while it '
  'says that the payment or the refund is undecided, the effect stays open.';

create function ledger.park_old_effects() returns setof text
language sql volatile security definer
set search_path = pg_catalog, pg_temp
begin atomic
  update ledger.effect set state = 'parked'
  where state = 'open' and kind <> 'follow_refund' and opened_at < clock_timestamp() - interval '24 hours'
  returning key;
end;
comment on function ledger.park_old_effects is 'Leaves effects that are a day old to a person. Returns their keys.';

-- Notifications from Square

create function ledger.keep_hint(p_event_id text, p_event_type text, p_subject text, p_square_id text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ledger.square_hint (event_id, event_type, subject, square_id)
  values (p_event_id, p_event_type, p_subject, p_square_id)
  on conflict (event_id) do nothing;
  return found;
end
$$;
comment on function ledger.keep_hint is 'False when the notification is known.';

create function ledger.take_hint(p_event_id text, p_tries integer, p_wait_seconds integer, p_lease_seconds integer)
returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_lease_seconds is null or p_lease_seconds not between 0 and 60 then
    raise exception 'Nothing holds a notification for % s', p_lease_seconds using errcode = 'KLM03';
  end if;
  update ledger.square_hint set tries = tries + 1, wait_seconds = p_lease_seconds
  where event_id = p_event_id and handled_at is null and tries = p_tries and wait_seconds = p_wait_seconds;
  return found;
end
$$;
comment on function ledger.take_hint is 'False when the notification has changed since it was read.';

create function ledger.settle_hint(p_event_id text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update ledger.square_hint set handled_at = clock_timestamp()
  where event_id = p_event_id and handled_at is null and tries > 0;
  return found;
end
$$;
comment on function ledger.settle_hint is 'Marks a notification as processed, which has to be taken first.';

create function ledger.release_hint(p_event_id text, p_wait_seconds integer) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 3600 then
    raise exception 'A notification cannot wait % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.square_hint set wait_seconds = p_wait_seconds where event_id = p_event_id and handled_at is null;
  return found;
end
$$;
comment on function ledger.release_hint is 'Lets other processes take the notification after these seconds.';

-- Request counts

create function kilim.count_requests(p_key text, p_times integer, p_expire bigint, p_now bigint)
returns table (points integer, expire bigint)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_key is null or length(p_key) > 200 or p_times is null or p_times not between -100000 and 100000
    or p_now is null or p_expire is null or p_expire - p_now not between 0 and 366 * 86400 * 1000::bigint
  then
    raise exception 'This is not a count of requests' using errcode = 'KLM03';
  end if;
  return query
    insert into kilim.throttle as counted (key, points, expire) values (p_key, greatest(p_times, 0), p_expire)
    on conflict (key) do update set
      points = case when counted.expire <= p_now then excluded.points else greatest(counted.points + p_times, 0) end,
      expire = case when counted.expire <= p_now then excluded.expire else counted.expire end
    returning counted.points, counted.expire;
end
$$;
comment on function kilim.count_requests is
  'Adds to the count of a key, and returns the sum and when it ends. Servers can neither list the keys, which contain '
  'a keyed hash, nor delete a count without its key. So an attacker in the database cannot lift a limit on passwords '
  'or cards. Instants are milliseconds since 1970, by the clock of the server.';

create function kilim.forget_count(p_key text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from kilim.throttle where key = p_key;
  return found;
end
$$;
comment on function kilim.forget_count is
  'Ends the count of one key, as after a right password. An attacker would have to know the key.';

create function kilim.forget_expired_counts() returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  delete from kilim.throttle where expire < extract(epoch from clock_timestamp()) * 1000 - 3600000
$$;
comment on function kilim.forget_expired_counts is 'Deletes counts that ended an hour ago.';

-- Rights

revoke all on function
  ledger.add_checkpoint, ledger.keep_finding, ledger.remember_comparison, ledger.remember_verification,
  ledger.take_job, ledger.postpone_job,
  ledger.take_effect, ledger.claim_effect, ledger.beat_effect, ledger.release_effect, ledger.close_effect,
  ledger.park_old_effects,
  ledger.keep_hint, ledger.take_hint, ledger.settle_hint, ledger.release_hint,
  kilim.count_requests, kilim.forget_count, kilim.forget_expired_counts
from public;
grant execute on function
  ledger.add_checkpoint, ledger.remember_comparison,
  ledger.take_job, ledger.postpone_job,
  ledger.take_effect, ledger.claim_effect, ledger.beat_effect, ledger.release_effect, ledger.close_effect,
  ledger.park_old_effects,
  ledger.keep_hint, ledger.take_hint, ledger.settle_hint, ledger.release_hint,
  kilim.count_requests, kilim.forget_count, kilim.forget_expired_counts
to kilim_app, kilim_server;
grant execute on function ledger.remember_verification, ledger.compare_cluster to kilim_verifier;
-- A proof also compares the commands with the events.
grant select on ledger.command to kilim_verifier;
