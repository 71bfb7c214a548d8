-- Tokens with which a spreadsheet or a script fetches exports while nobody is signed in. They open nothing else.

create table admin.export_token (
  -- What a list may show; it opens nothing.
  id uuid primary key default uuidv7(),
  -- SHA-256 of 256 random bits that were shown once: who reads this table cannot fetch anything with it.
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- What its owner calls it: whose script it is.
  name text not null check (length(name) between 1 and 100),
  created_by text collate "C" not null references admin.account,
  created_at timestamptz not null default clock_timestamp(),
  -- Moved on at most once a minute.
  used_at timestamptz,
  -- Kept after that, so that the list still says what it was and when it was used last.
  revoked_at timestamptz
);

grant select, insert on admin.export_token to kilim_app;
grant update (used_at, revoked_at) on admin.export_token to kilim_app;
