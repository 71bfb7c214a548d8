import { ok, type Result } from '@kilim/domain/result';
import { type ParsedVariables, parseVariables, simulatorDefaults, type Variables } from './env-variables.ts';
import type { LogLevel } from './logger.ts';

/** Everything that can be configured, parsed. What is optional and absent is decided where it is used. */
export type Environment = {
  readonly production: boolean;
  readonly server: {
    readonly host: string;
    /** 0 picks a free port. */
    readonly port: number;
    /** Without a path. Absent: from the host and the port that was bound. */
    readonly publicUrl: string | undefined;
    /** How many proxies in front of us may be believed about the caller's address. */
    readonly trustedProxies: number;
    readonly metricsToken: string | undefined;
    /** The text of Apple's file, or a path to it. Absent: this domain is not registered for Apple Pay. */
    readonly applePayDomainAssociation: string | undefined;
  };
  readonly throttling: {
    /** Every limit, times this. */
    readonly factor: number;
    /** How many cards may be declined, over the whole shop, before no more are tried. Times the factor, too. */
    readonly mostDeclinesPerHour: number;
  };
  readonly dataDir: string;
  readonly database: {
    /** Absent: the embedded PostgreSQL. */
    readonly url: string | undefined;
    readonly readUrl: string | undefined;
    /** The owner's login. Absent: `url` migrates. */
    readonly migrationUrl: string | undefined;
  };
  readonly ledger: {
    /** What checkpoints are signed with. Absent: a key that is generated once, below `dataDir`. */
    readonly signingKey: string | undefined;
  };
  readonly admin: {
    readonly username: string;
    /** Absent: drawn at the first start, and shown then. */
    readonly password: string | undefined;
  };
  readonly square: SquareEnvironment;
  readonly embedding: {
    /** Absent: the demo page's. */
    readonly parentOrigins: readonly string[] | undefined;
    readonly checkoutTopLevel: boolean;
    readonly abConversionUrl: string | undefined;
    /** 0 picks a free port. */
    readonly demoParentPort: number;
  };
  /** Absent: images live in PostgreSQL. */
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
  /** The address that Square signs over. Absent: below the server's own, where our own simulator delivers. */
  readonly webhookUrl: string | undefined;
  /** Another server that speaks Square's API. Absent: the environment's own. */
  readonly baseUrl: string | undefined;
} & (
  | {
      readonly environment: 'simulator';
      /** Known once the simulator listens. */
      readonly scriptUrl: undefined;
      /** Absent: `baseUrl` is a simulator that somebody else started. */
      readonly ownSimulator: { readonly port: number; readonly publicUrl: string | undefined } | undefined;
    }
  | {
      readonly environment: 'sandbox' | 'production';
      /** What the browser loads to ask for the card. */
      readonly scriptUrl: string;
      readonly ownSimulator: undefined;
    }
);

/**
 * Reads the configuration once, whole: either all of it is right, or every problem is named in a sentence of its own. The
 * sentences never repeat a value, which may be a secret in the wrong place.
 */
export function parseEnvironment(variables: Variables): Result<Environment, readonly string[]> {
  const parsed = parseVariables(variables);
  return parsed.ok ? ok(toEnvironment(parsed.value)) : parsed;
}

/** Where Square tells what happened, below the server's address. */
export const webhookPath = '/api/webhooks/square';

/** Test cards are nobody's: whoever tries the product out, or measures it, should not meet the limits by accident. */
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
      trustedProxies: variables.TRUST_PROXY,
      metricsToken: variables.METRICS_TOKEN,
      applePayDomainAssociation: variables.APPLE_PAY_DOMAIN_ASSOCIATION,
    },
    throttling: {
      factor: variables.THROTTLE_FACTOR ?? (variables.SQUARE_ENVIRONMENT === 'simulator' ? factorWithSimulator : 1),
      mostDeclinesPerHour: variables.DECLINES_PER_HOUR,
    },
    dataDir: variables.DATA_DIR,
    database: {
      url: variables.DATABASE_URL,
      readUrl: variables.DATABASE_READ_URL,
      migrationUrl: variables.MIGRATION_DATABASE_URL,
    },
    ledger: { signingKey: variables.LEDGER_SIGNING_KEY },
    admin: { username: variables.ADMIN_USERNAME, password: variables.ADMIN_PASSWORD },
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
    logging: { level: variables.LOG_LEVEL },
  };
}

function toSquare(variables: ParsedVariables): SquareEnvironment {
  const { SQUARE_ENVIRONMENT: environment, SQUARE_BASE_URL: baseUrl, PUBLIC_URL: publicUrl } = variables;
  const common = {
    accessToken: variables.SQUARE_ACCESS_TOKEN,
    applicationId: variables.SQUARE_APPLICATION_ID,
    locationId: variables.SQUARE_LOCATION_ID,
    baseUrl,
  };
  const isOurSimulator = environment === 'simulator' && baseUrl === undefined;
  // Inside a container the public address may lead nowhere, and a simulator of our own is inside too.
  const belowPublicUrl = publicUrl === undefined || isOurSimulator ? undefined : `${publicUrl}${webhookPath}`;
  const webhookUrl = variables.SQUARE_WEBHOOK_URL ?? belowPublicUrl;
  const webhookSignatureKey = variables.SQUARE_WEBHOOK_SIGNATURE_KEY;
  if (environment !== 'simulator') {
    return {
      ...common,
      environment,
      webhookSignatureKey,
      webhookUrl,
      scriptUrl: scriptUrls[environment],
      ownSimulator: undefined,
    };
  }
  const ownSimulator = { port: variables.SIMULATOR_PORT, publicUrl: variables.SIMULATOR_PUBLIC_URL };
  return {
    ...common,
    environment,
    webhookSignatureKey: webhookSignatureKey ?? simulatorDefaults.webhookSignatureKey,
    webhookUrl,
    scriptUrl: undefined,
    ownSimulator: isOurSimulator ? ownSimulator : undefined,
  };
}
