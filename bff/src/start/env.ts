import { ok, type Result } from '@kilim/domain/result';
import type { DatabasePlace } from '../core/database/explain-database-error.ts';
import type { LogLevel } from '../core/runtime/logger.ts';
import type { WitnessPlaces } from '../proof/witness/open-witnesses.ts';
import { type ParsedVariables, parseVariables, simulatorDefaults, type Variables } from './env-variables.ts';
import { type MailPlace, mailPlaceOf } from './mail-variables.ts';
import { witnessesOf } from './witness-variables.ts';

export type Environment = {
  readonly production: boolean;
  readonly server: {
    readonly host: string;
    /** 0 picks a free port. */
    readonly port: number;
    /** Without a path. Absent: derived from the host and the bound port. */
    readonly publicUrl: string | undefined;
    /** Absent: derived from the host and the office's bound port. */
    readonly officeUrl: string | undefined;
    /** 0 picks a free port. Absent in production: the host name decides. */
    readonly officePort: number | undefined;
    /** So many entries of X-Forwarded-For are trusted. */
    readonly trustedProxies: number;
    readonly metricsToken: string | undefined;
    /** Apple's file, or a path to it. Absent: Apple Pay is not set up. */
    readonly applePayDomainAssociation: string | undefined;
    /** `mailto:` or `https:`, for `security.txt`. */
    readonly securityContact: string | undefined;
  };
  readonly throttling: {
    readonly factor: number;
    /** Declined cards in the whole shop before payments pause. The factor multiplies it too. */
    readonly mostDeclinesPerHour: number;
  };
  readonly dataDir: string;
  readonly database: {
    /** Absent: the embedded PostgreSQL. */
    readonly url: string | undefined;
    /** Absent: migrations use `url`. */
    readonly migrationUrl: string | undefined;
  };
  readonly ledger: {
    /** Absent: one is generated and kept below `dataDir`. */
    readonly signingKey: string | undefined;
    readonly witnesses: WitnessPlaces;
  };
  /** Absent: mails go to the own mailbox, or nowhere. */
  readonly mail: MailPlace | undefined;
  readonly ownMailbox: { readonly port: number; readonly publicUrl: string | undefined } | undefined;
  readonly admin: {
    readonly username: string;
    /** Absent: one is generated at the first start and printed once. */
    readonly password: string | undefined;
    /** Absent: only the built-in list of stolen passwords is compared. */
    readonly breachUrl: string | undefined;
    /** Absent in production: the server offers no one-time codes. */
    readonly secondFactorKey: string | undefined;
    /** Always in production. */
    readonly needsSecondFactor: boolean;
  };
  readonly square: SquareEnvironment;
  readonly embedding: {
    /** Absent: the demo page's origins. */
    readonly parentOrigins: readonly string[] | undefined;
    readonly checkoutTopLevel: boolean;
    readonly abConversionUrl: string | undefined;
    readonly demoParentPort: number;
  };
  /** Absent: images are stored in PostgreSQL. */
  readonly cloudinary: { readonly cloudName: string; readonly uploadPreset: string } | undefined;
  readonly business: {
    readonly name: string;
    readonly phone: string;
    readonly bookingUrl: string;
    readonly timeZone: string;
  };
  readonly logging: { readonly level: LogLevel | undefined };
};

export type SquareEnvironment = {
  readonly accessToken: string;
  readonly applicationId: string;
  readonly locationId: string;
  /** Absent: webhooks cannot be verified and are refused. */
  readonly webhookSignatureKey: string | undefined;
  /** A webhook's signature covers it. Absent: this server's own. */
  readonly webhookUrl: string | undefined;
  /** Absent: the environment's own. */
  readonly baseUrl: string | undefined;
} & (
  | {
      readonly environment: 'simulator';
      /** Known once the simulator listens. */
      readonly scriptUrl: undefined;
      /** Absent: `baseUrl` names a simulator that is already running. */
      readonly ownSimulator: { readonly port: number; readonly publicUrl: string | undefined } | undefined;
    }
  | {
      readonly environment: 'sandbox' | 'production';
      readonly scriptUrl: string;
      readonly ownSimulator: undefined;
    }
);

/** A sentence never repeats a value, which may be a misplaced secret. */
export function parseEnvironment(variables: Variables): Result<Environment, readonly string[]> {
  const parsed = parseVariables(variables);
  return parsed.ok ? ok(toEnvironment(parsed.value)) : parsed;
}

/** Also for `npm run ledger`. Absent: the embedded database's. */
export function ownerPlace({ database }: Environment): DatabasePlace | undefined {
  const { url, migrationUrl } = database;
  if (migrationUrl !== undefined) return { variable: 'MIGRATION_DATABASE_URL', url: migrationUrl };
  return url === undefined ? undefined : { variable: 'DATABASE_URL', url };
}

export const webhookPath = '/api/webhooks/square';

const highestPort = 65_535;

/** Test cards need no protection, so trials and benchmarks should not meet limits. */
const factorWithSimulator = 20;

const scriptUrls = {
  sandbox: 'https://sandbox.web.squarecdn.com/v1/square.js',
  production: 'https://web.squarecdn.com/v1/square.js',
} as const;

function toEnvironment(variables: ParsedVariables): Environment {
  const { CLOUDINARY_CLOUD_NAME: cloudName, CLOUDINARY_UPLOAD_PRESET: uploadPreset } = variables;
  return {
    production: variables.NODE_ENV === 'production',
    server: {
      host: variables.HOST,
      port: variables.PORT,
      publicUrl: variables.PUBLIC_URL,
      officeUrl: variables.OFFICE_URL,
      officePort: officePortOf(variables),
      trustedProxies: variables.TRUST_PROXY,
      metricsToken: variables.METRICS_TOKEN,
      applePayDomainAssociation: variables.APPLE_PAY_DOMAIN_ASSOCIATION,
      securityContact: variables.SECURITY_CONTACT,
    },
    throttling: {
      factor: variables.THROTTLE_FACTOR ?? (variables.SQUARE_ENVIRONMENT === 'simulator' ? factorWithSimulator : 1),
      mostDeclinesPerHour: variables.DECLINES_PER_HOUR,
    },
    dataDir: variables.DATA_DIR,
    database: {
      url: variables.DATABASE_URL,
      migrationUrl: variables.MIGRATION_DATABASE_URL,
    },
    ledger: { signingKey: variables.LEDGER_SIGNING_KEY, witnesses: witnessesOf(variables, mailPlaceOf(variables)) },
    mail: mailPlaceOf(variables),
    ownMailbox: ownMailboxOf(variables),
    admin: {
      username: variables.ADMIN_USERNAME,
      password: variables.ADMIN_PASSWORD,
      breachUrl: variables.PASSWORD_BREACH_URL,
      secondFactorKey: variables.SECOND_FACTOR_KEY,
      needsSecondFactor: variables.NODE_ENV === 'production' || variables.SECOND_FACTOR_REQUIRED === 'true',
    },
    square: toSquare(variables),
    embedding: {
      parentOrigins: variables.PARENT_ORIGINS,
      checkoutTopLevel: variables.CHECKOUT_TOP_LEVEL === 'true',
      abConversionUrl: variables.AB_CONVERSION_URL,
      demoParentPort: variables.DEMO_PARENT_PORT,
    },
    cloudinary: cloudName !== undefined && uploadPreset !== undefined ? { cloudName, uploadPreset } : undefined,
    business: {
      name: variables.BUSINESS_NAME,
      phone: variables.BUSINESS_PHONE,
      bookingUrl: variables.BOOKING_URL,
      timeZone: variables.BUSINESS_TIME_ZONE,
    },
    // Security events are `info`, also when standard output is a terminal.
    logging: { level: variables.LOG_LEVEL ?? (variables.NODE_ENV === 'production' ? 'info' : undefined) },
  };
}

function ownMailboxOf(variables: ParsedVariables): Environment['ownMailbox'] {
  if (variables.NODE_ENV === 'production' || variables.SMTP_URL !== undefined) return undefined;
  return { port: variables.MAILBOX_PORT, publicUrl: variables.MAILBOX_PUBLIC_URL };
}

function officePortOf({ NODE_ENV, PORT, OFFICE_PORT }: ParsedVariables): number | undefined {
  if (NODE_ENV === 'production') return undefined;
  return OFFICE_PORT ?? (PORT === 0 || PORT === highestPort ? 0 : PORT + 1);
}

function toSquare(variables: ParsedVariables): SquareEnvironment {
  const { SQUARE_ENVIRONMENT: environment, SQUARE_BASE_URL: baseUrl, PUBLIC_URL: publicUrl } = variables;
  const common = {
    accessToken: variables.SQUARE_ACCESS_TOKEN,
    applicationId: variables.SQUARE_APPLICATION_ID,
    locationId: variables.SQUARE_LOCATION_ID,
    baseUrl,
  };
  const isOwnSimulator = environment === 'simulator' && baseUrl === undefined;
  // Inside a container the public address may be unreachable; the own simulator runs inside too.
  const belowPublicUrl = publicUrl === undefined || isOwnSimulator ? undefined : `${publicUrl}${webhookPath}`;
  const webhookUrl = variables.SQUARE_WEBHOOK_URL ?? belowPublicUrl;
  const webhookSignatureKey = variables.SQUARE_WEBHOOK_SIGNATURE_KEY;
  if (environment !== 'simulator') {
    const scriptUrl = scriptUrls[environment];
    return { ...common, environment, webhookSignatureKey, webhookUrl, scriptUrl, ownSimulator: undefined };
  }
  const ownSimulator = { port: variables.SIMULATOR_PORT, publicUrl: variables.SIMULATOR_PUBLIC_URL };
  return {
    ...common,
    environment,
    webhookSignatureKey: webhookSignatureKey ?? simulatorDefaults.webhookSignatureKey,
    webhookUrl,
    scriptUrl: undefined,
    ownSimulator: isOwnSimulator ? ownSimulator : undefined,
  };
}
