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
  /** Absent: `info`; in a terminal, whose reader waits for the ready lines and not for JSON, `warn`. */
  readonly level?: LogLevel | undefined;
  /** Absent: standard output. */
  readonly destination?: DestinationStream;
};

/**
 * One JSON object per line. Whatever a caller passes, at whatever depth, no line holds tokens, card data, contact data,
 * cookies or query strings, and of an error only what is known to quote nobody.
 */
export function createLogger({ level, destination = lineByLine }: LoggerOptions = {}): Logger {
  const logger = pino(
    {
      level: level ?? (process.stdout.isTTY ? 'warn' : 'info'),
      timestamp: stdTimeFunctions.isoTime,
      // Errors are replaced before pino's own serializer sees them.
      serializers: { err: (value: unknown) => value },
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields) as typeof fields },
      hooks: {
        logMethod: nameErrorsWithoutText,
        // Once more over the finished line: the text of the message is only there.
        streamWrite: (line) => `${JSON.stringify(withoutSecrets(JSON.parse(line)))}\n`,
      },
    },
    destination,
  );
  // pino turns the fields of a child into JSON at once, errors among them with all their properties.
  const { child } = logger;
  logger.child = function withoutSecretFields(this: Logger, fields: Bindings, options: object) {
    return child.call(this, withoutSecrets(fields) as Bindings, options);
  } as Logger['child'];
  return logger;
}

/** pino would take the error's own message for the text of the line. */
function nameErrorsWithoutText(this: Logger, args: Parameters<LogFn>, log: LogFn): void {
  const [first, text]: readonly unknown[] = args;
  const { err } = isRecord(first) ? first : { err: first };
  if (text === undefined && err instanceof Error) log.call(this, isRecord(first) ? first : { err }, err.name);
  else log.apply(this, args);
}

const redacted = '[redacted]';

/** Names as they are spelled without separators, in lower case. */
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

const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/[^\s@"'<>():,;/]+@[^\s@"'<>():,;/]+\.[a-z]{2,}/gi, redacted],
  [/\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b/g, redacted],
  [/\bBearer\s+[^\s"']+/gi, `Bearer ${redacted}`],
  // Square's card tokens, buyer verifications, access tokens and application secrets.
  [/\b(?:cnon|ccof|verf|bauth):[\w-]+/g, redacted],
  [/\bEAAA[\w-]{20,}|\b(?:sandbox-)?sq0(?:atp|atb|csp|csb)-[\w-]+/g, redacted],
  // Addresses: who logs in, and what comes after the question mark.
  [/\/\/[^\s/@"']+:[^\s/@"']*@/g, `//${redacted}@`],
  [/(\bhttps?:\/\/[^\s?"']+)\?[^\s"']*/g, `$1?${redacted}`],
];

const deepest = 8;

function withoutSecrets(value: unknown, name = '', depth = 0): unknown {
  if (isSecretName(name) && value !== null && value !== undefined) return redacted;
  if (typeof value === 'string') return withoutSecretTexts(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[too deep]';
  if (value instanceof Error) return withoutSecrets(describeError(value), name, depth + 1);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, '', depth + 1));
  // Dates and their like are looked at once they are JSON.
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutSecrets(field, key, depth + 1)]));
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretNames.has(plain) || secretEndings.test(plain);
}

function withoutSecretTexts(text: string, name: string): string {
  const path = placesOfQueries.test(name.toLowerCase()) ? text.replace(/\?.*$/s, '') : text;
  return secretTexts.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), path);
}

/** Their messages are ours or the language's. Those of other classes, Square's, PostgreSQL's, zod's, JSON's, quote what somebody sent. */
const plainErrors = new Set<unknown>([Error, TypeError, RangeError, ReferenceError, AggregateError, DOMException]);

/** What of an error says where and why, and nothing of whom: a PostgreSQL error's `detail` is a row, its `parameters` too. */
function describeError(error: Error): Record<string, unknown> {
  const fields: Readonly<Record<string, unknown>> = { ...error };
  // DOMException has its code on the prototype, an old number that says nothing; here it has none.
  const { code, statusCode, constraint_name: constraint, table_name: table, routine } = fields;
  return {
    type: error.name,
    ...(plainErrors.has(error.constructor) ? { message: error.message } : {}),
    code,
    statusCode,
    constraint,
    table,
    routine,
    // The first lines of a stack are the message.
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
