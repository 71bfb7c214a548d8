-- Pictures of the settings. Their name is the SHA-256 of what they hold, so one that is kept never changes.
create schema image;

create table image.kept (
  hash bytea primary key check (hash = sha256(bytes)),
  bytes bytea not null check (octet_length(bytes) between 1 and 5 * 1024 * 1024),
  kept_at timestamptz not null default clock_timestamp()
);

-- Pictures are compressed already.
alter table image.kept alter column bytes set storage external;

revoke all on schema image from public;
grant usage on schema image to kilim_app;
grant select, insert on image.kept to kilim_app;
