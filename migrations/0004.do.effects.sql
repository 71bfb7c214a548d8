-- What servers do besides answering: calls to Square that events require, periodic jobs, and notifications from Square.
-- Also what all servers share: request counts and pictures.

-- Effects

create table ledger.effect (
  key text collate "C" primary key,
  order_id uuid not null,
  payment_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('charge', 'refund', 'follow_refund')),
  state text collate "C" not null default 'open' check (state in ('open', 'done', 'parked')),
  opened_at timestamptz not null default clock_timestamp(),
  refund_id text collate "C",
  fence integer not null default 0 check (fence >= 0),
  beat integer not null default 0,
  wait_seconds integer not null check (wait_seconds >= 0),
  answer text collate "C",
  constraint effect_of_refund_names_it check ((refund_id is null) = (kind = 'charge'))
) with (fillfactor = 80);
comment on table ledger.effect is
  'A call to Square that still has to be made, committed with the event that intends it. The request of the customer '
  'and the settle worker execute effects with the same code. The row holds no time, so no clock can end a lease early: '
  'a server takes an effect over only after it has itself seen (fence, beat) unchanged for wait_seconds. An owner '
  'whose fence is no longer current may neither release nor close the effect, and stops calling Square.';
comment on column ledger.effect.kind is
  'charge: one payment attempt, which one owner authorizes and completes. refund: asks Square for a refund. '
  'follow_refund: polls a refund that Square has accepted until it is decided, which can take days.';
comment on column ledger.effect.state is 'parked: needs a person.';
comment on column ledger.effect.fence is 'The number of owners so far.';
comment on column ledger.effect.beat is 'Changes as long as the owner is alive.';
comment on column ledger.effect.wait_seconds is
  'How long (fence, beat) must stay unchanged before another server takes over.';
comment on column ledger.effect.answer is
  'The status that Square names when it settles nothing: unknown to the program, or not final yet.';

create index effect_open on ledger.effect (opened_at) where state = 'open';
create index effect_parked on ledger.effect (opened_at) where state = 'parked';
comment on index ledger.effect_parked is 'For the metrics, which count parked effects at each request.';

create function ledger.take_effect(p_key text, p_fence integer, p_beat integer, p_wait_seconds integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.effect set fence = 1, beat = beat + 1 where key = p_key and state = 'open' and fence = 0;
  return found;
end
$$;
comment on function ledger.claim_effect is 'Takes an effect from the request that opened it.';

create function ledger.beat_effect(p_key text, p_fence integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.effect set beat = beat + 1 where key = p_key and state = 'open' and fence = p_fence;
  return found;
end
$$;
comment on function ledger.beat_effect is 'False when the effect is closed, or another process has taken it over.';

create function ledger.release_effect(p_key text, p_fence integer, p_wait_seconds integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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

create function ledger.put_effect_back(p_key text, p_fence integer, p_wait_seconds integer, p_answer text)
returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_answer !~ '^[A-Z_]{1,40}$' then
    raise exception 'Square says nothing like %', p_answer using errcode = 'KLM03';
  end if;
  update ledger.effect set answer = p_answer where key = p_key and state = 'open' and fence = p_fence
    and answer is distinct from p_answer;
  return ledger.release_effect(p_key, p_fence, p_wait_seconds);
end
$$;
comment on function ledger.put_effect_back is 'As ledger.release_effect, and keeps what Square says of it.';

create function ledger.close_effect(p_key text, p_fence integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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
  'Closes an effect whose outcome the ledger has already. While the row of the order or of the refund says that the '
  'payment or the refund is undecided, the effect stays open.';

create function ledger.park_effect(p_key text, p_fence integer, p_answer text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_answer is null or p_answer !~ '^[A-Z_]{1,40}$' then
    raise exception 'Nothing parks an effect because of %', p_answer using errcode = 'KLM03';
  end if;
  update ledger.effect set state = 'parked', answer = p_answer
  where key = p_key and kind = 'refund' and state = 'open' and fence = p_fence;
  return found;
end
$$;
comment on function ledger.park_effect is
  'Leaves a refund that must not be sent to a person. False when another process has taken it over.';

create function ledger.park_old_effects() returns setof text
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  update ledger.effect set state = 'parked'
  where state = 'open' and kind <> 'follow_refund' and opened_at < clock_timestamp() - interval '24 hours'
  returning key;
end;
comment on function ledger.park_old_effects is 'Leaves effects that are a day old to a person. Returns their keys.';

create function ledger.reopen_effect(p_key text) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_fence integer;
begin
  update ledger.effect set state = 'open', fence = fence + 1, beat = beat + 1
  where key = p_key and state = 'parked' and kind = 'refund'
  returning fence into v_fence;
  return v_fence;
end
$$;
comment on function ledger.reopen_effect is
  'Takes a parked refund. Returns the fence of the new owner; null when the refund is not parked. When its outcome '
  'stays unknown, it is parked again within a minute.';

-- Jobs

create table ledger.job (
  name text collate "C" primary key,
  due_at timestamptz not null
);
comment on table ledger.job is 'When each periodic job is due. The first process that notices executes it.';

create function ledger.take_job(p_name text, p_every_seconds double precision) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_name is null or p_name !~ '^[a-z][a-z0-9-]{0,39}$'
    or p_every_seconds is null or p_every_seconds not between 1 and 31 * 86400
  then
    raise exception 'There is no job % every % s', p_name, p_every_seconds using errcode = 'KLM03';
  end if;
  insert into ledger.job (name, due_at)
  values (p_name, clock_timestamp() + make_interval(secs => p_every_seconds))
  on conflict (name) do update set due_at = excluded.due_at
  -- Not excluded.due_at: it is from before a wait for another caller, whose due time would be later.
  where job.due_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => p_every_seconds);
  return found;
end
$$;
comment on function ledger.take_job is
  'Whether the caller has to do the job now. It is due again after the interval. A job that is due later than that '
  'counts as due, so no caller can switch it off for longer.';

create function ledger.postpone_job(p_name text, p_seconds double precision) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_seconds is null or p_seconds not between 0 and 86400 then
    raise exception 'The job % cannot wait % s', p_name, p_seconds using errcode = 'KLM03';
  end if;
  update ledger.job set due_at = clock_timestamp() + make_interval(secs => p_seconds) where name = p_name;
end
$$;
comment on function ledger.postpone_job is 'Makes a job due after these seconds, at most a day.';

-- Background work that stops must be heard of: each job says here when it last succeeded, and why it failed since.

create table ledger.heartbeat (
  name text collate "C" primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  succeeded_at timestamptz not null default clock_timestamp(),
  failed_at timestamptz,
  failure text check (length(failure) between 1 and 300),
  limit_seconds integer not null check (limit_seconds > 0),
  meaning text not null,
  check ((failed_at is null) = (failure is null))
);
comment on table ledger.heartbeat is
  'One row for each job of the servers. Backup, its copy, verification and standby have one from their first '
  'success; to stop watching one of these four, the owner deletes its row.';
comment on column ledger.heartbeat.limit_seconds is 'The shop is told after so long without success.';
comment on column ledger.heartbeat.meaning is 'What that means for the shop, in words for its owner.';
comment on column ledger.heartbeat.succeeded_at is
  'The last success of any server; before the first one, when a server first had this job.';
comment on column ledger.heartbeat.failure is
  'The last failure since, in words of the program or as a code. Never words of a database or a peer, which may be '
  'personal.';

create function ledger.expect_jobs(p_rules json) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  delete from ledger.heartbeat
  where name not in (select rule ->> 'name' from json_array_elements(p_rules) rule)
    and name not in ('backup', 'offsite', 'standby', 'verify');
  insert into ledger.heartbeat (name, limit_seconds, meaning)
  select rule ->> 'name', (rule ->> 'limitSeconds')::integer, rule ->> 'meaning' from json_array_elements(p_rules) rule
  on conflict (name) do update set limit_seconds = excluded.limit_seconds, meaning = excluded.meaning;
end;
comment on function ledger.expect_jobs is
  'The jobs of a server that starts. A job that it does not have is watched again from the next beat of a server that '
  'has it. What not every installation has is watched from its first success.';

create function ledger.beat(p_rule json, p_failure text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp begin atomic
  insert into ledger.heartbeat (name, limit_seconds, meaning, failed_at, failure)
  values (
    p_rule ->> 'name', (p_rule ->> 'limitSeconds')::integer, p_rule ->> 'meaning',
    case when p_failure is not null then clock_timestamp() end, p_failure
  )
  on conflict (name) do update set
    succeeded_at = case when p_failure is null then clock_timestamp() else heartbeat.succeeded_at end,
    failed_at = excluded.failed_at,
    failure = excluded.failure;
end;
comment on function ledger.beat is 'A job succeeded, or failed for this reason.';

-- Notifications from Square

create table ledger.square_hint (
  event_id text collate "C" primary key check (event_id ~ '^[!-~]{1,100}$'),
  event_type text collate "C" not null check (event_type ~ '^[!-~]{1,100}$'),
  subject text collate "C" not null check (subject in ('payment', 'refund', 'dispute', 'payout')),
  square_id text collate "C" not null check (square_id ~ '^[A-Za-z0-9_-]{1,255}$'),
  received_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz,
  tries integer not null default 0,
  wait_seconds integer not null default 0 check (wait_seconds >= 0)
) with (fillfactor = 80);
comment on table ledger.square_hint is
  'Notifications from Squares webhooks: that something changed, and where to look. A hint says nothing of money: the '
  'server asks Square, and appends what Square answers.';
comment on column ledger.square_hint.event_id is 'Squares id, the same when Square repeats the notification.';
comment on column ledger.square_hint.tries is
  'How often the hint was taken up: as with effects, after it was observed unchanged for wait_seconds.';

create index square_hint_open on ledger.square_hint (received_at) where handled_at is null;

create function ledger.keep_hint(p_event_id text, p_event_type text, p_subject text, p_square_id text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update ledger.square_hint set handled_at = clock_timestamp()
  where event_id = p_event_id and handled_at is null and tries > 0;
  return found;
end
$$;
comment on function ledger.settle_hint is 'Marks a notification as processed, which has to be taken first.';

create function ledger.release_hint(p_event_id text, p_wait_seconds integer) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_wait_seconds is null or p_wait_seconds not between 0 and 3600 then
    raise exception 'A notification cannot wait % s', p_wait_seconds using errcode = 'KLM03';
  end if;
  update ledger.square_hint set wait_seconds = p_wait_seconds where event_id = p_event_id and handled_at is null;
  return found;
end
$$;
comment on function ledger.release_hint is 'Lets other processes take the notification after these seconds.';

create function ledger.forget_old_hints() returns integer
language sql security definer set search_path = pg_catalog, pg_temp begin atomic
  with forgotten as (
    delete from ledger.square_hint where handled_at < clock_timestamp() - interval '30 days' returning event_id
  )
  select count(*)::integer from forgotten;
end;
comment on function ledger.forget_old_hints is
  'Deletes processed hints after 30 days. Square can repeat notifications of the last 28 days.';

-- Request counts

create unlogged table kilim.throttle (
  key text collate "C" primary key,
  points integer not null,
  expire bigint
) with (fillfactor = 50);
comment on table kilim.throttle is
  'Request counts for rate limits, shared by all processes. Unlogged: counts may be lost in a crash. The package '
  'rate-limiter-flexible prescribes the columns and their order.';
comment on column kilim.throttle.key is 'A keyed hash hides the address or person.';
comment on column kilim.throttle.expire is 'Milliseconds since 1970, by the clocks of the processes.';

create function kilim.count_requests(p_key text, p_times integer, p_expire bigint, p_now bigint)
returns table (points integer, expire bigint)
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
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
  'Adds to the count of a key. Returns the sum and when it ends. Servers can neither list the keys, which contain a '
  'keyed hash, nor delete a count without its key: an attacker in the database cannot lift a limit on passwords or '
  'cards. Instants are milliseconds since 1970, by the clock of the server.';

create function kilim.forget_count(p_key text) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from kilim.throttle where key = p_key;
  return found;
end
$$;
comment on function kilim.forget_count is
  'Ends the count of one key, as after a right password. An attacker would have to know the key.';

create function kilim.forget_expired_counts() returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  delete from kilim.throttle where expire < extract(epoch from clock_timestamp()) * 1000 - 3600000
$$;
comment on function kilim.forget_expired_counts is 'Deletes counts that ended an hour ago.';

-- Pictures

create schema image;
comment on schema image is 'The pictures of the settings.';
revoke all on schema image from public;
grant usage on schema image to kilim_server;

create table image.kept (
  hash bytea primary key check (hash = sha256(bytes)),
  bytes bytea not null check (octet_length(bytes) between 1 and 5 * 1024 * 1024),
  kept_at timestamptz not null default clock_timestamp()
);
comment on table image.kept is 'Pictures by the SHA-256 of their bytes. So a stored picture never changes.';
comment on column image.kept.bytes is 'Stored uncompressed, because pictures are already compressed.';

alter table image.kept alter column bytes set storage external;
-- A row is checked by a constraint, and never changed.
grant select, insert on image.kept to kilim_server;

-- Rights

revoke all on all functions in schema ledger, kilim from public;
grant execute on function
  ledger.take_effect, ledger.claim_effect, ledger.beat_effect, ledger.release_effect, ledger.put_effect_back,
  ledger.close_effect, ledger.park_effect, ledger.park_old_effects, ledger.reopen_effect, ledger.take_job,
  ledger.postpone_job, ledger.expect_jobs, ledger.beat, ledger.keep_hint, ledger.take_hint, ledger.settle_hint,
  ledger.release_hint, ledger.forget_old_hints, kilim.count_requests, kilim.forget_count, kilim.forget_expired_counts
to kilim_server;
grant select on ledger.effect, ledger.job, ledger.heartbeat, ledger.square_hint to kilim_server;
grant select (order_id, payment_id, refund_id, kind) on ledger.effect to kilim_verifier;
