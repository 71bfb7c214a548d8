import { ok, type Result, rejected } from '@kilim/domain/result';
import { z } from 'zod';
import { judgeAddress } from '../core/database/database-address.ts';
import { readSecretFiles, secretNames } from '../core/runtime/secret-files.ts';
import { readSigner } from '../proof/signed-note.ts';
import { mailProblems, mailVariables } from './mail-variables.ts';
import { unsafeSettings } from './unsafe-settings.ts';
import { witnessVariables } from './witness-variables.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export function parseVariables(given: Variables): Result<ParsedVariables, readonly string[]> {
  const withFiles = readSecretFiles(given);
  if (!withFiles.ok) return withFiles;
  const variables = withFiles.value;
  // `docker compose` passes unset variables as empty values, so an empty value counts as absent.
  const present: Variables = Object.fromEntries(
    Object.entries(variables)
      .filter(([, value]) => value !== undefined && value.trim() !== '')
      // Blanks belong to a password, as in the form.
      .map(([name, value]) => [name, name === 'ADMIN_PASSWORD' ? value : value?.trim()] as const),
  );
  const parsed = variableSchema.safeParse(present);
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`);
  // These checks use the raw variables, so that one problem does not hide another.
  const problems = [
    ...new Set(malformed),
    ...squareProblems(present),
    ...databaseProblems(present),
    ...imageProblems(present),
    ...portProblems(present),
    ...officeProblems(present),
    ...mailProblems(present),
    ...productionProblems(present),
    ...unsafeSettings(present),
  ];
  return parsed.success && problems.length === 0 ? ok(parsed.data) : rejected(problems);
}

/** Real environments never fall back to these. */
export const simulatorDefaults = {
  accessToken: 'simulator-access-token',
  applicationId: 'sandbox-sq0idb-kilim-simulator',
  locationId: 'LSIMULATOR0001',
  webhookSignatureKey: 'simulator-signature-key',
} as const;

const usualPort = 8080;

const text = z.string();
const port = wholeNumber(65_535);
const databaseUrl = text.check(({ value, issues }) => {
  for (const message of judgeAddress(value).refused) issues.push({ code: 'custom', input: value, message });
});
const webAddress = text.refine(
  (value) => webAddressOf(value) !== undefined,
  'must be an address that begins with http:// or https://',
);
const origin = text
  .refine(isOrigin, 'must be an address without a path, like https://shop.example.com')
  .transform((value) => new URL(value).origin);

const variableSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], 'must be development, test or production')
    .default('development'),
  HOST: text.default('127.0.0.1'),
  PORT: port.default(usualPort),
  PUBLIC_URL: origin.optional(),
  OFFICE_URL: origin.optional(),
  OFFICE_PORT: port.optional(),
  TRUST_PROXY: wholeNumber(10).default(0),
  METRICS_TOKEN: text.optional(),
  THROTTLE_FACTOR: wholeNumber(1_000_000, 1).optional(),
  DECLINES_PER_HOUR: wholeNumber(10_000, 1).default(60),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .optional(),
  DATA_DIR: text.default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  DATABASE_NETWORK: z.enum(['public', 'private'], 'must be public or private').default('public'),
  LEDGER_SIGNING_KEY: text.refine(isSigningKey, 'must be an Ed25519 private key, PKCS #8 in base64').optional(),
  ADMIN_USERNAME: text
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, 'must be letters, digits and . _ @ - only, at most 64 of them')
    .default('admin'),
  ADMIN_PASSWORD: text.max(128, 'must be at most 128 characters long').optional(),
  PASSWORD_BREACH_URL: text
    .refine(isSecureAddress, 'must be an address that begins with https://')
    .transform((value) => value.replace(/\/?$/, '/'))
    .optional(),
  SECOND_FACTOR_KEY: text.min(43, 'must have at least 256 random bits: openssl rand -base64 32 makes one').optional(),
  SECOND_FACTOR_REQUIRED: z.enum(['true', 'false'], 'must be true or false').optional(),
  SQUARE_ENVIRONMENT: z
    .enum(['simulator', 'sandbox', 'production'], 'must be simulator, sandbox or production')
    .default('simulator'),
  SQUARE_ACCESS_TOKEN: text.default(simulatorDefaults.accessToken),
  SQUARE_APPLICATION_ID: text.default(simulatorDefaults.applicationId),
  SQUARE_LOCATION_ID: text.default(simulatorDefaults.locationId),
  SQUARE_WEBHOOK_SIGNATURE_KEY: text.optional(),
  SQUARE_WEBHOOK_URL: webAddress.optional(),
  SQUARE_BASE_URL: webAddress.transform((value) => value.replace(/(?<!\/)\/+$/, '')).optional(),
  SIMULATOR_PORT: port.default(0),
  SIMULATOR_PUBLIC_URL: origin.optional(),
  DEMO_PARENT_PORT: port.default(0),
  CHECKOUT_TOP_LEVEL: z.enum(['true', 'false'], 'must be true or false').default('false'),
  PARENT_ORIGINS: text
    .refine((list) => listItems(list).every(isOrigin), 'must be addresses without a path, separated by commas')
    .transform((list) => listItems(list).map((item) => new URL(item).origin))
    .optional(),
  AB_CONVERSION_URL: webAddress.optional(),
  APPLE_PAY_DOMAIN_ASSOCIATION: text.optional(),
  SECURITY_CONTACT: text
    .refine(
      (value) => contactOf(value) !== undefined,
      'must be an email address, or a web address that begins with https://',
    )
    .transform((value) => contactOf(value))
    .optional(),
  ...mailVariables,
  MAILBOX_PORT: port.default(0),
  MAILBOX_PUBLIC_URL: origin.optional(),
  ...witnessVariables,
  CLOUDINARY_CLOUD_NAME: text.optional(),
  CLOUDINARY_UPLOAD_PRESET: text.optional(),
  BUSINESS_NAME: text.default('Kilim Rug Care'),
  BUSINESS_PHONE: text.default(''),
  BOOKING_URL: webAddress.default(''),
  BUSINESS_TIME_ZONE: text
    .refine(isTimeZone, 'must be a time zone like America/Los_Angeles')
    .default('America/Los_Angeles'),
});

export type ParsedVariables = z.infer<typeof variableSchema>;

export const variableNames: readonly string[] = Object.keys(variableSchema.shape);

/** Every name that a .env file may set, for any program. */
export const knownNames: readonly string[] = [
  ...variableNames,
  ...secretNames.map((name) => `${name}_FILE`),
  ...['OWNER_PASSWORD', 'APP_PASSWORD', 'VERIFY_PASSWORD'],
  ...['COMPOSE_FILE', 'COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME', 'SERVERS', 'BACKUPS'],
  ...['DOMAIN', 'OFFICE_DOMAIN', 'KILIM_IMAGE'],
  ...['NODE_IMAGE', 'POSTGRES_IMAGE', 'CADDY_IMAGE', 'PROMETHEUS_IMAGE', 'ALERTMANAGER_IMAGE'],
  ...['HTTP_PORT', 'HTTPS_PORT', 'PROMETHEUS_PORT'],
  ...['BACKUP_AT', 'BACKUP_KEEP_DAYS', 'VERIFY_AT', 'KEPT_NOTES'],
  'NEW_PASSWORD',
  ...['KILIM_TEST_DATABASE', 'DOCKER_HOST', 'TRACE', 'CI'],
  ...['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'TZ'],
];

function squareProblems(variables: Variables): readonly string[] {
  const { SQUARE_ENVIRONMENT = 'simulator', SQUARE_APPLICATION_ID, SQUARE_BASE_URL, NODE_ENV } = variables;
  const real = SQUARE_ENVIRONMENT === 'sandbox' || SQUARE_ENVIRONMENT === 'production';
  const needed = ['SQUARE_ACCESS_TOKEN', 'SQUARE_APPLICATION_ID', 'SQUARE_LOCATION_ID'];
  const missing = needed.filter((name) => real && variables[name] === undefined);
  const problems = missing.map((name) => `${name} must be set when SQUARE_ENVIRONMENT is ${SQUARE_ENVIRONMENT}.`);
  const prefix = SQUARE_ENVIRONMENT === 'production' ? 'sq0idp-' : 'sandbox-sq0idb-';
  if (SQUARE_APPLICATION_ID !== undefined && !SQUARE_APPLICATION_ID.startsWith(prefix)) {
    problems.push(
      `SQUARE_APPLICATION_ID must begin with ${prefix} when SQUARE_ENVIRONMENT is ${real ? SQUARE_ENVIRONMENT : 'simulator'}.`,
    );
  }
  if (SQUARE_BASE_URL !== undefined && (SQUARE_ENVIRONMENT === 'production' || NODE_ENV === 'production')) {
    problems.push('SQUARE_BASE_URL must not be set in production: cards are charged at Square and nowhere else.');
  }
  return problems;
}

function databaseProblems(variables: Variables): readonly string[] {
  const { DATABASE_URL, MIGRATION_DATABASE_URL } = variables;
  if (DATABASE_URL !== undefined || MIGRATION_DATABASE_URL === undefined) return [];
  return ['DATABASE_URL must be set when MIGRATION_DATABASE_URL is.'];
}

function imageProblems(variables: Variables): readonly string[] {
  const names = ['CLOUDINARY_CLOUD_NAME', 'CLOUDINARY_UPLOAD_PRESET'];
  const missing = names.filter((name) => variables[name] === undefined);
  return missing.length === 1 ? [`${missing[0]} must be set too: ${names.join(' and ')} belong together.`] : [];
}

/** 0 picks a free one each time. */
function portProblems({ NODE_ENV, PORT = String(usualPort), ...variables }: Variables): readonly string[] {
  const besideShop = NODE_ENV === 'production' || PORT === '0' ? '0' : String(Number(PORT) + 1);
  const { OFFICE_PORT = besideShop, SIMULATOR_PORT, MAILBOX_PORT, DEMO_PARENT_PORT } = variables;
  const taken = new Map<string, string>();
  const ports = Object.entries({ PORT, OFFICE_PORT, SIMULATOR_PORT, MAILBOX_PORT, DEMO_PARENT_PORT });
  return ports.flatMap(([name, number = '0']) => {
    const other = taken.get(number);
    if (number !== '0') taken.set(number, name);
    return other === undefined ? [] : [`${name} must name another port than ${other}.`];
  });
}

/**
 * Cookies do not separate ports, and production has one port behind its proxy, so the back office
 * needs its own host name there.
 */
function officeProblems({ NODE_ENV, PUBLIC_URL, OFFICE_URL, OFFICE_PORT }: Variables): readonly string[] {
  const [shop, office] = [PUBLIC_URL, OFFICE_URL].map((value) => webAddressOf(value ?? ''));
  if (NODE_ENV !== 'production') {
    const isSame = office !== undefined && office.origin === shop?.origin;
    return isSame ? ['OFFICE_URL must be another address than PUBLIC_URL.'] : [];
  }
  const problems: string[] = [];
  if (office?.protocol !== 'https:') {
    problems.push(
      'OFFICE_URL must be the https:// address of the back office when NODE_ENV is production, like https://office.example.com.',
    );
  } else if (office.hostname === shop?.hostname) {
    problems.push('OFFICE_URL must have another host name than PUBLIC_URL when NODE_ENV is production.');
  }
  if (OFFICE_PORT !== undefined) {
    problems.push('OFFICE_PORT must not be set when NODE_ENV is production: the host name of OFFICE_URL decides.');
  }
  return problems;
}

/** A busy shop may need wider limits, but card testing without limits could make Square close its account. */
const mostFactorInProduction = 10;

/** Refuses defaults that are convenient in development but dangerous in production. */
function productionProblems(variables: Variables): readonly string[] {
  const { NODE_ENV, SQUARE_ENVIRONMENT = 'simulator', DATABASE_URL, ADMIN_PASSWORD, PUBLIC_URL } = variables;
  const { LEDGER_SIGNING_KEY } = variables;
  if (NODE_ENV !== 'production') return [];
  const problems: string[] = [];
  if (SQUARE_ENVIRONMENT === 'simulator') {
    problems.push(
      'SQUARE_ENVIRONMENT must be sandbox or production when NODE_ENV is production: the simulator charges no card.',
    );
  }
  if (DATABASE_URL === undefined) {
    problems.push(
      'DATABASE_URL must name a PostgreSQL when NODE_ENV is production: the embedded one is for trying things out.',
    );
  }
  if (ADMIN_PASSWORD === undefined) {
    problems.push('ADMIN_PASSWORD must be set when NODE_ENV is production: a generated one would be printed.');
  }
  if (LEDGER_SIGNING_KEY === undefined) {
    problems.push(
      'LEDGER_SIGNING_KEY must be set when NODE_ENV is production, to the same key on every server: openssl genpkey -algorithm ed25519 -outform der | base64 makes one.',
    );
  }
  if (variables['SECOND_FACTOR_REQUIRED'] === 'false') {
    problems.push(
      'SECOND_FACTOR_REQUIRED must not be false when NODE_ENV is production: a password alone could refund.',
    );
  }
  if (PUBLIC_URL === undefined || !PUBLIC_URL.toLowerCase().startsWith('https://')) {
    problems.push('PUBLIC_URL must be the https:// address that customers use when NODE_ENV is production.');
  }
  if (Number(variables['THROTTLE_FACTOR'] ?? 1) > mostFactorInProduction) {
    problems.push(
      `THROTTLE_FACTOR must be at most ${mostFactorInProduction} when NODE_ENV is production: the limits keep people from trying stolen cards.`,
    );
  }
  return problems;
}

function wholeNumber(most: number, least = 0) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

function webAddressOf(value: string): URL | undefined {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  return address?.protocol === 'http:' || address?.protocol === 'https:' ? address : undefined;
}

/** On this machine an address needs no TLS. */
function isSecureAddress(value: string): boolean {
  const address = webAddressOf(value);
  return address?.protocol === 'https:' || address?.hostname === '127.0.0.1' || address?.hostname === 'localhost';
}

/** Whether a browser could send this as an origin: no path, no credentials, no pattern. */
function isOrigin(value: string): boolean {
  const address = webAddressOf(value);
  return address !== undefined && `${address.origin}/` === address.href && !/[*?#]/.test(value);
}

function listItems(list: string): readonly string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A contact as `security.txt` names it. One line, because each line of that file is a field. */
function contactOf(value: string): string | undefined {
  if (/^[\w.+-]{1,64}@[\w.-]{1,255}$/.test(value)) return `mailto:${value}`;
  return webAddressOf(value)?.protocol === 'https:' ? new URL(value).href : undefined;
}

function isSigningKey(value: string): boolean {
  try {
    return readSigner('any', value).privateKey !== undefined;
  } catch {
    return false;
  }
}

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}
