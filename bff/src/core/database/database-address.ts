import type { Address } from './postgres-js/socket/hosts.ts';

// `postgres://user:password@host1:5432,host2/database?name=value`, as libpq reads it. Not `URL`, which does not accept
// several hosts or a folder of a socket.

export type DatabaseAddress = {
  readonly login: string;
  readonly password: string;
  /** As they were written, for sentences. */
  readonly hosts: string;
  readonly addresses: readonly Address[];
  readonly database: string;
  /** Undefined: no TLS. */
  readonly encryption: Encryption | undefined;
  /** Undefined: the database's own address. */
  readonly pooler: Pooler | undefined;
  readonly targetSession: TargetSession | undefined;
  readonly connectTimeoutSeconds: number | undefined;
  readonly applicationName: string | undefined;
  /** Command line options of PostgreSQL. Neon reads the name of an endpoint here. */
  readonly options: string | undefined;
};

/**
 * A pooler drops the start parameters of a session.
 * - `prepared`: it knows the prepared statements of each client, as PgBouncer 1.21 and later do.
 * - `unprepared`: a statement that one transaction prepared may be missing in the next one.
 */
export type Pooler = 'prepared' | 'unprepared';

export type Encryption = {
  /**
   * `prefer` continues without TLS if the server has none. `verify-ca` checks the certificate, `verify-full` its host
   * name too.
   */
  readonly mode: 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  readonly isDirect: boolean;
  /** PEM files. */
  readonly authorities: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
};

const targetSessions = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
type TargetSession = (typeof targetSessions)[number];

type Rule =
  | { readonly is: 'honoured'; readonly values?: RegExp }
  /** `harmless`: values that ask for nothing else. */
  | { readonly is: 'ignored' | 'refused'; readonly because: string; readonly harmless?: RegExp };

const honoured = (values?: RegExp): Rule => ({ is: 'honoured', ...(values && { values }) });
const refused = (because: string, harmless?: RegExp) => unhonoured('refused', because, harmless);
const ignored = (because: string, harmless?: RegExp) => unhonoured('ignored', because, harmless);
function unhonoured(is: 'ignored' | 'refused', because: string, harmless?: RegExp): Rule {
  return { is, because, ...(harmless && { harmless }) };
}

const bound = 'the driver cannot bind, so the certificate and its host name are checked instead, as with verify-full';
const noKerberos = 'Kerberos is not supported: give the login a password';

/** Parameters of libpq, and of addresses that hosts give out. */
const namesByRule: readonly (readonly [names: string, Rule])[] = [
  ['application_name dbname host options password ssl sslcert sslkey sslrootcert user', honoured()],
  ['connect_timeout', honoured(/^[1-9]\d{0,2}$/)],
  ['pooler', honoured(/^(prepared|unprepared)$/)],
  ['port', honoured(/^\d{1,5}(,\d{1,5})*$/)],
  ['sslmode', honoured(/^(disable|allow|prefer|require|verify-ca|verify-full)$/)],
  ['sslnegotiation', honoured(/^(postgres|direct)$/)],
  ['target_session_attrs', honoured(new RegExp(`^(any|${targetSessions.join('|')})$`))],
  ['channel_binding', ignored(bound, /^(disable|prefer)$/)],
  ['client_encoding', ignored('every connection uses UTF-8', /^(utf-?8|auto)$/i)],
  ['connection_limit pool_timeout schema', ignored('it is a parameter of Prisma')],
  ['fallback_application_name', ignored('every connection has a name')],
  [
    'keepalives keepalives_count keepalives_idle keepalives_interval tcp_user_timeout',
    ignored('a dead connection is noticed within 15 seconds anyway'),
  ],
  ['load_balance_hosts', ignored('all connections use one server while it works', /^disable$/)],
  ['max_protocol_version', ignored('protocol version 3.0 is used')],
  ['pgbouncer', ignored('a connection pooler is recognised without it')],
  ['sslcertmode', ignored('a certificate is sent when sslcert names one', /^allow$/)],
  ['sslcompression', ignored('TLS compresses nothing', /^0$/)],
  ['sslkeylogfile', ignored('keys are never written to a file')],
  ['sslsni', ignored('the host name is always sent', /^1$/)],
  ['supa', ignored('it only tells Supabase who asks')],
  ['gssdelegation gsslib krbsrvname', refused(noKerberos)],
  ['gssencmode', refused(noKerberos, /^(disable|prefer)$/)],
  ['hostaddr', refused('the host must be in the address itself')],
  ['min_protocol_version', refused('protocol version 3.0 is used', /^3\.0$/)],
  ['passfile service', refused('user and password belong into the address itself')],
  ['require_auth', refused('the method cannot be demanded here: use sslmode=verify-full', /scram-sha-256/)],
  ['requirepeer', refused('the owner of a socket cannot be checked')],
  ['ssl_max_protocol_version', refused('the newest version that both know is used', /^TLSv1\.3$/)],
  ['ssl_min_protocol_version', refused('TLS 1.2 and newer are used', /^TLSv1(\.[012])?$/)],
  ['sslcrl sslcrldir', refused('lists of revoked certificates are not supported')],
  ['sslpassword', refused('a key with a passphrase cannot be read: store it without one')],
];
const rules = new Map(namesByRule.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)));

/** It names hosts and a database. */
function isDatabaseAddress(url: string): boolean {
  const { addresses, database } = readDatabaseAddress(url);
  const isWellFormed = (address: Address) =>
    'path' in address || (/^[\w.-]+$|^[\da-f:.]+$/i.test(address.host) && address.port <= 65_535);
  return /^postgres(ql)?:\/\//.test(url) && database !== '' && addresses.every(isWellFormed);
}

/** Without a full stop, and never with a value. */
export type AddressProblems = {
  /** Continues a sentence that begins with the variable. */
  readonly refused: readonly string[];
  readonly ignored: readonly string[];
};

export function judgeAddress(url: string): AddressProblems {
  // A part of a password may look like a parameter.
  if (!isDatabaseAddress(url))
    return { refused: ['must look like postgres://user:password@host/database'], ignored: [] };
  const found = [...queryOf(url)].map(([name, value]) => ({ name, value, rule: rules.get(name) }));
  return {
    refused: found.flatMap(({ name, value, rule }) => {
      if (rule === undefined) {
        return [
          `must not have the unknown parameter ${name}: remove it, or write a setting of PostgreSQL as options=-c%20${name}%3D<value>`,
        ];
      }
      if (rule.is === 'honoured') {
        return rule.values?.test(value) === false ? [`must not have an unknown value of the parameter ${name}`] : [];
      }
      const isRefused = rule.is === 'refused' && rule.harmless?.test(value) !== true;
      return isRefused ? [`must not have the parameter ${name}: ${rule.because}`] : [];
    }),
    ignored: found.flatMap(({ name, value, rule }) =>
      rule?.is === 'ignored' && rule.harmless?.test(value) !== true
        ? [`the parameter ${name} is ignored: ${rule.because}`]
        : [],
    ),
  };
}

/** @throws Error with a sentence for a parameter that is refused. */
export function parseDatabaseAddress(url: string): DatabaseAddress {
  const [problem] = judgeAddress(url).refused;
  if (problem !== undefined) throw new Error(`The address of the database ${problem}.`);
  return readDatabaseAddress(url);
}

/** Also reads an address whose parameters are refused, for sentences about it. */
export function readDatabaseAddress(url: string): DatabaseAddress {
  const query = queryOf(url);
  const [, authority = '', path = ''] = /^[^:]+:\/\/([^/?]*)\/?([^?]*)/.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  const [login = '', ...password] = authority.slice(0, Math.max(at, 0)).split(':');
  const hosts = query.get('host') ?? authority.slice(at + 1);
  const target = query.get('target_session_attrs');
  const timeout = query.get('connect_timeout');
  return {
    login: query.get('user') ?? decoded(login),
    password: query.get('password') ?? decoded(password.join(':')),
    hosts: decoded(hosts),
    addresses: addressesOf(hosts, query.get('port')),
    database: query.get('dbname') ?? decoded(path),
    encryption: encryptionOf(query),
    pooler: poolerIn(query),
    targetSession: targetSessions.find((name) => name === target),
    connectTimeoutSeconds: timeout === null ? undefined : Number(timeout),
    applicationName: query.get('application_name') ?? undefined,
    options: query.get('options') ?? undefined,
  };
}

export function poolerOf(url: string): Pooler | undefined {
  return poolerIn(queryOf(url));
}

export function throughPooler(url: string, pooler: Pooler): string {
  const query = queryOf(url);
  query.set('pooler', pooler);
  const [address = ''] = url.split('?', 1);
  return `${address}?${query.toString().replaceAll('+', '%20')}`;
}

/** A plus is a plus. */
function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')).replaceAll('+', '%2B') : '');
}

function poolerIn(query: URLSearchParams): Pooler | undefined {
  const value = query.get('pooler');
  return value === 'prepared' || value === 'unprepared' ? value : undefined;
}

/** `db1:5432`, `[::1]:5432` or `/folder/of/a/socket`. A host without a port has that of the first one. */
function addressesOf(hosts: string, ports: string | null): readonly Address[] {
  const named = hosts.split(',').map((host) => {
    const [, name = '', port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [undefined, host];
    return { name: decoded(name), port };
  });
  const given = ports?.split(',') ?? [];
  const first = named[0]?.port ?? given[0] ?? '5432';
  return named.map(({ name, port }, index) => {
    const number = Number(port ?? given[index] ?? first);
    if (name.startsWith('/')) return { path: `${name}/.s.PGSQL.${number}` };
    return { host: name.replace(/^\[(.*)\]$/, '$1'), port: number };
  });
}

/**
 * As libpq: with a file of authorities `require` checks the certificate. `channel_binding=require` asks the server for
 * a proof that the driver cannot check; the certificate is one, too.
 */
function encryptionOf(query: URLSearchParams): Encryption | undefined {
  const authorities = query.get('sslrootcert') ?? undefined;
  const isProving = authorities !== undefined || query.get('channel_binding') === 'require';
  const named = query.get('sslmode') ?? query.get('ssl') ?? 'disable';
  if (!isProving && ['disable', 'false', ''].includes(named)) return undefined;
  const own = authorities === 'system' ? undefined : authorities;
  const weak = (['allow', 'prefer', 'require'] as const).find((name) => name === named);
  // Anybody can have a certificate of a public authority, so its host name counts.
  const verifying = own === undefined || named === 'verify-full' ? 'verify-full' : 'verify-ca';
  return {
    mode: weak === undefined || isProving ? verifying : weak,
    isDirect: query.get('sslnegotiation') === 'direct',
    authorities: own,
    certificate: query.get('sslcert') ?? undefined,
    key: query.get('sslkey') ?? undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
