import {
  type Bindings,
  type DestinationStream,
  type Level,
  type LogFn,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { lineByLine } from './standard-output.ts';

export type Logger = PinoLogger;
export type LogLevel = Level | 'silent';

export type LoggerOptions = {
  /** Absent: `info`, or `warn` in a terminal, where a person reads the ready lines. */
  readonly level?: LogLevel | undefined;
  /** Absent: standard output. */
  readonly destination?: DestinationStream;
};

/**
 * Whatever a caller passes, no line holds tokens, card data, contact data, cookies or query strings. Errors keep only
 * fields without personal data.
 */
export function createLogger({ level, destination = lineByLine }: LoggerOptions = {}): Logger {
  const logger = pino(
    {
      level: level ?? (process.stdout.isTTY ? 'warn' : 'info'),
      timestamp: stdTimeFunctions.isoTime,
      // `formatters.log` has already replaced errors, so pino's serializer is not needed.
      serializers: { err: (value: unknown) => value },
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields) as typeof fields },
      hooks: {
        logMethod: nameErrorsWithoutText,
        // Redacts the finished line too, because only it has the message's text.
        streamWrite: (line) => `${JSON.stringify(withoutSecrets(JSON.parse(line)))}\n`,
      },
    },
    destination,
  );
  // pino serialises a child's fields immediately, with all properties of errors.
  const { child } = logger;
  logger.child = function withoutSecretFields(this: Logger, fields: Bindings, options: object) {
    return child.call(this, withoutSecrets(fields) as Bindings, options);
  } as Logger['child'];
  return logger;
}

/** Uses an error's name as the message. pino would use the error's message. */
function nameErrorsWithoutText(this: Logger, args: Parameters<LogFn>, log: LogFn): void {
  const [first, text]: readonly unknown[] = args;
  const { err } = isRecord(first) ? first : { err: first };
  if (text === undefined && err instanceof Error) log.call(this, isRecord(first) ? first : { err }, err.name);
  else log.apply(this, args);
}

const redacted = '[redacted]';

/** Field names in lower case, without separators. */
const secretNames = new Set(
  `name firstname lastname fullname givenname familyname middlename displayname cardholdername customername
  street addressline addressline1 addressline2 city locality zip zipcode postalcode administrativedistrictlevel1
  contact customer customerinfo customercontact buyer notes adminnotes
  card cardnumber pan cvv cvc lastfour last4 sourceid nonce
  setcookie session sessionid query querystring search body rawbody parameters args`.split(/\s+/),
);
const secretEndings =
  /(?:token|password|passphrase|secret|signature|signaturekey|authorization|cookie|email|phone|phonenumber|address)$/;
const placesOfQueries = /(?:url|uri|href|path|referer|referrer|location)$/;

/** Texts may come from strangers, so each expression takes linear time. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/(?<![^\s@"'<>():,;/])[^\s@"'<>():,;/]+@[^\s@"'<>():,;/]+\.[a-z]{2,}/gi, redacted],
  [/\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b/g, redacted],
  [/\bBearer\s+[^\s"']+/gi, `Bearer ${redacted}`],
  // Square's card tokens, buyer verifications, access tokens and application secrets.
  [/\b(?:cnon|ccof|verf|bauth):[\w-]+/g, redacted],
  [/\bEAAA[\w-]{20,}|\b(?:sandbox-)?sq0(?:atp|atb|csp|csb)-[\w-]+/g, redacted],
  // Addresses: credentials, and query strings.
  [/\/\/[^\s/@"':]+:[^\s/@"']*@/g, `//${redacted}@`],
  [/(?<![^\s"'])([^\s"'?/]*\/[^\s"'?]*)\?[^\s"']+/g, `$1?${redacted}`],
];

/** Longer texts are cut. A stack trace and every message of ours are shorter. */
const longestText = 10_000;
/** A cut text loses this many characters more: the cut may go through an e-mail address. */
const longestSecret = 320;

const deepest = 8;

function withoutSecrets(value: unknown, name = '', depth = 0): unknown {
  if (isSecretName(name) && value !== null && value !== undefined) return redacted;
  if (typeof value === 'string') return withoutSecretTexts(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[too deep]';
  if (value instanceof Error) return withoutSecrets(describeError(value), name, depth + 1);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, '', depth + 1));
  // Dates and other objects with toJSON are checked later, in the finished line.
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutSecrets(field, key, depth + 1)]));
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretNames.has(plain) || secretEndings.test(plain);
}

function withoutSecretTexts(text: string, name: string): string {
  const short = text.slice(0, longestText);
  const path = placesOfQueries.test(name.toLowerCase()) ? (short.split('?', 1)[0] ?? '') : short;
  const clean = secretTexts.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), path);
  return text.length > longestText ? `${clean.slice(0, -longestSecret)}…` : clean;
}

/** Errors of these classes have harmless messages. Others (Square, PostgreSQL, zod, JSON) quote input. */
const plainErrors = new Set<unknown>([Error, TypeError, RangeError, ReferenceError, AggregateError, DOMException]);

/** The fields that never hold personal data. PostgreSQL's `detail` and `parameters` do. */
function describeError(error: Error): Record<string, unknown> {
  const fields: Readonly<Record<string, unknown>> = { ...error };
  // A DOMException has a meaningless old number as code on the prototype, which is left out here.
  const { code, statusCode, constraint_name: constraint, table_name: table, routine } = fields;
  return {
    type: error.name,
    ...(plainErrors.has(error.constructor) ? { message: error.message } : {}),
    code,
    statusCode,
    constraint,
    table,
    routine,
    // The first lines of a stack repeat the message, so only the frames are kept.
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    cause: error.cause instanceof Error ? error.cause : undefined,
    errors: error instanceof AggregateError ? error.errors : undefined,
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Error) && !('toJSON' in value);
}
