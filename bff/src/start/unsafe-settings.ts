import { isIPv4, isIPv6 } from 'node:net';
import { readDatabaseAddress } from '../core/database/database-address.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Rule = (variables: Variables) => readonly string[];

/**
 * Refuses well-formed values that would undo a protection of a server for customers. Each sentence names the variable
 * and the remedy, and never a value.
 */
export function unsafeSettings(variables: Variables): readonly string[] {
  if (variables['NODE_ENV'] === 'production') return rules.flatMap((rule) => rule(variables));
  if (variables['SQUARE_ENVIRONMENT'] !== 'production') return [];
  return [
    'NODE_ENV must be production when SQUARE_ENVIRONMENT is production: otherwise real cards are charged with cookies that are sent without encryption, and beside a demo page.',
  ];
}

const rules: readonly Rule[] = [
  encryptedDatabases,
  ownPasswords,
  proxies,
  logLevels,
  declines,
  guessable,
  encryptedPeers,
];

const databaseAddresses = ['DATABASE_URL', 'MIGRATION_DATABASE_URL'] as const;

/** `prefer` and `allow` continue without encryption when a machine in between says that there is none. */
function encryptedDatabases(variables: Variables): readonly string[] {
  if (variables['DATABASE_NETWORK'] === 'private') return [];
  return databaseAddresses
    .filter((name) => {
      const url = variables[name];
      if (url === undefined || isOnThisMachine(url)) return false;
      const mode = readDatabaseAddress(url).encryption?.mode;
      return mode === undefined || mode === 'allow' || mode === 'prefer';
    })
    .map(
      (name) =>
        `${name} must end with ?sslmode=verify-full (or require, which does not check the certificate) when NODE_ENV is production and the database is on another machine. If only trusted machines are in the network between, set DATABASE_NETWORK=private instead.`,
    );
}

function isOnThisMachine(url: string): boolean {
  return readDatabaseAddress(url).addresses.every((address) => 'path' in address || isLoopback(address.host));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIPv4(host) && host.startsWith('127.')) || (isIPv6(host) && host === '::1');
}

/** docker-compose.yml shows passwords for a trial. */
function ownPasswords(variables: Variables): readonly string[] {
  return databaseAddresses
    .filter((name) => /^[^:]+:\/\/[^:@/?]*:trial-[^@/?]*@/.test(variables[name] ?? ''))
    .map(
      (name) => `${name} must have a password of its own when NODE_ENV is production: that of the trial is published.`,
    );
}

function proxies({ PUBLIC_URL, TRUST_PROXY = '0' }: Variables): readonly string[] {
  if (PUBLIC_URL?.toLowerCase().startsWith('https://') !== true || Number(TRUST_PROXY) !== 0) return [];
  return [
    'TRUST_PROXY must be the number of proxies in front of the server when PUBLIC_URL begins with https://, usually 1: with 0, all customers seem to have the address of the proxy and share one limit.',
  ];
}

function logLevels({ LOG_LEVEL }: Variables): readonly string[] {
  if (LOG_LEVEL === undefined || !['fatal', 'error', 'warn', 'silent', 'trace'].includes(LOG_LEVEL)) return [];
  return [
    'LOG_LEVEL must be info or debug when NODE_ENV is production: the others hide security events, and trace writes too much.',
  ];
}

/** 60 declined cards and the largest factor. */
const mostDeclines = 600;

function declines({ DECLINES_PER_HOUR = '60', THROTTLE_FACTOR = '1' }: Variables): readonly string[] {
  // Another sentence judges the factor alone.
  const factor = Math.min(Number(THROTTLE_FACTOR), 10);
  if (!(Number(DECLINES_PER_HOUR) * factor > mostDeclines)) return [];
  return [
    `DECLINES_PER_HOUR times THROTTLE_FACTOR must be at most ${mostDeclines} when NODE_ENV is production: the limit keeps people from trying stolen cards.`,
  ];
}

/** 16 random letters and digits cannot be guessed through the network. */
const shortestToken = 16;
/** Random text of that length has more, except once in a million. */
const leastCharacters = 8;

function guessable(variables: Variables): readonly string[] {
  return ['METRICS_TOKEN', 'SQUARE_ACCESS_TOKEN', 'SQUARE_WEBHOOK_SIGNATURE_KEY']
    .filter((name) => {
      const value = variables[name];
      return value !== undefined && (value.length < shortestToken || new Set(value).size < leastCharacters);
    })
    .map((name) => {
      const source =
        name === 'METRICS_TOKEN' ? 'openssl rand -hex 16 makes one' : "copy it from Square's developer console";
      return `${name} must have at least ${shortestToken} characters, ${leastCharacters} of them different, when NODE_ENV is production: ${source}.`;
    });
}

function encryptedPeers(variables: Variables): readonly string[] {
  const names = ['AB_CONVERSION_URL', 'PARENT_ORIGINS', 'PASSWORD_BREACH_URL', 'SQUARE_WEBHOOK_URL'];
  return names
    .filter((name) => (variables[name] ?? '').split(',').some((address) => /^\s*http:/i.test(address)))
    .map((name) => `${name} must use https:// only when NODE_ENV is production: others could read and change http://.`);
}
