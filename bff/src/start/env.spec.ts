import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseEnvironment } from './env.ts';
import { variableNames } from './env-variables.ts';

type Variables = Record<string, string | undefined>;

const sandbox = {
  SQUARE_ENVIRONMENT: 'sandbox',
  SQUARE_ACCESS_TOKEN: 'EAAA-sandbox-token',
  SQUARE_APPLICATION_ID: 'sandbox-sq0idb-shop',
  SQUARE_LOCATION_ID: 'LSHOP',
};
const production = {
  ...sandbox,
  NODE_ENV: 'production',
  SQUARE_ENVIRONMENT: 'production',
  SQUARE_APPLICATION_ID: 'sq0idp-shop',
  DATABASE_URL: 'postgres://kilim:pa55word@db1:5432,db2:5432/kilim?sslmode=verify-full',
  LEDGER_SIGNING_KEY: 'MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD',
  ADMIN_PASSWORD: 'a long enough password',
  PUBLIC_URL: 'https://shop.example.com',
  OFFICE_URL: 'https://office.example.com',
  TRUST_PROXY: '1',
};

function environmentOf(variables: Variables) {
  const parsed = parseEnvironment(variables);
  if (!parsed.ok) throw new Error(parsed.rejection.join('\n'));
  return parsed.value;
}

function problemsOf(variables: Variables): readonly string[] {
  const parsed = parseEnvironment(variables);
  return parsed.ok ? [] : parsed.rejection;
}

test('the server starts without any configuration', () => {
  expect(environmentOf({})).toMatchObject({
    production: false,
    server: {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: undefined,
      officeUrl: undefined,
      officePort: 8081,
      trustedProxies: 0,
    },
    dataDir: '.data',
    database: { url: undefined, migrationUrl: undefined },
    admin: { username: 'admin', password: undefined, secondFactorKey: undefined, needsSecondFactor: false },
    square: {
      environment: 'simulator',
      accessToken: 'simulator-access-token',
      applicationId: 'sandbox-sq0idb-kilim-simulator',
      locationId: 'LSIMULATOR0001',
      webhookSignatureKey: 'simulator-signature-key',
      ownSimulator: { port: 0 },
    },
    embedding: { parentOrigins: undefined, checkoutTopLevel: false, abConversionUrl: undefined, demoParentPort: 0 },
    cloudinary: undefined,
    business: { timeZone: 'America/Los_Angeles' },
    logging: { level: undefined },
  });
});

test('blanks around a value are removed, but belong to the password', () => {
  const { admin } = environmentOf({ ADMIN_USERNAME: ' ada ', ADMIN_PASSWORD: ' with blanks ' });
  expect(admin).toMatchObject({ username: 'ada', password: ' with blanks ' });
});

test.each([
  ['security@rugs.example', 'mailto:security@rugs.example'],
  ['https://rugs.example/security', 'https://rugs.example/security'],
])('SECURITY_CONTACT %s is shown as %s', (given, shown) => {
  expect(environmentOf({ SECURITY_CONTACT: given }).server.securityContact).toBe(shown);
});

test('an empty or blank variable counts as absent', () => {
  const blank = Object.fromEntries(variableNames.map((name) => [name, ' ']));
  expect(environmentOf(blank)).toEqual(environmentOf({}));
});

test('every variable is parsed into the environment', () => {
  const environment = environmentOf({
    ...sandbox,
    HOST: '0.0.0.0',
    PORT: '0',
    PUBLIC_URL: 'https://shop.example.com/',
    OFFICE_URL: 'https://office.example.com/',
    OFFICE_PORT: '8443',
    TRUST_PROXY: '1',
    METRICS_TOKEN: 'metrics',
    THROTTLE_FACTOR: '3',
    DECLINES_PER_HOUR: '30',
    LOG_LEVEL: 'debug',
    DATA_DIR: '/data',
    DATABASE_URL: 'postgresql://kilim@db/kilim',
    MIGRATION_DATABASE_URL: 'postgresql://owner@db/kilim',
    LEDGER_SIGNING_KEY: production.LEDGER_SIGNING_KEY,
    ADMIN_USERNAME: 'ada',
    ADMIN_PASSWORD: 'long',
    PASSWORD_BREACH_URL: 'https://api.pwnedpasswords.com/range',
    SQUARE_WEBHOOK_SIGNATURE_KEY: 'key',
    SQUARE_WEBHOOK_URL: 'https://hooks.example.com/square',
    SQUARE_BASE_URL: 'http://localhost:9000/',
    DEMO_PARENT_PORT: '9001',
    CHECKOUT_TOP_LEVEL: 'true',
    PARENT_ORIGINS: 'https://www.example.com, https://example.com/',
    AB_CONVERSION_URL: 'https://ab.example.com/convert',
    APPLE_PAY_DOMAIN_ASSOCIATION: '7B22',
    SECURITY_CONTACT: 'security@rugs.example',
    SMTP_URL: 'smtps://kilim:secret@mail.rugs.example',
    MAIL_FROM: 'orders@rugs.example',
    MAIL_SHOP_TO: 'owner@rugs.example',
    MAIL_ACCOUNTANT_TO: 'ada@accountant.example',
    WITNESS_TIMESTAMP_URL: 'http://timestamp.example/tsa',
    CLOUDINARY_CLOUD_NAME: 'cloud',
    CLOUDINARY_UPLOAD_PRESET: 'preset',
    BUSINESS_NAME: 'Rugs',
    BUSINESS_PHONE: '1',
    BOOKING_URL: 'https://example.com/book',
    BUSINESS_TIME_ZONE: 'Europe/Berlin',
  });
  expect(environment).toEqual({
    production: false,
    server: {
      host: '0.0.0.0',
      port: 0,
      publicUrl: 'https://shop.example.com',
      officeUrl: 'https://office.example.com',
      officePort: 8443,
      trustedProxies: 1,
      metricsToken: 'metrics',
      applePayDomainAssociation: '7B22',
      securityContact: 'mailto:security@rugs.example',
    },
    mail: {
      smtpUrl: 'smtps://kilim:secret@mail.rugs.example',
      from: 'orders@rugs.example',
      shopTo: 'owner@rugs.example',
      operatorTo: 'owner@rugs.example',
      accountantTo: 'ada@accountant.example',
    },
    ownMailbox: undefined,
    throttling: { factor: 3, mostDeclinesPerHour: 30 },
    dataDir: '/data',
    database: {
      url: 'postgresql://kilim@db/kilim',
      migrationUrl: 'postgresql://owner@db/kilim',
    },
    ledger: {
      signingKey: production.LEDGER_SIGNING_KEY,
      witnesses: {
        mail: {
          to: 'ada@accountant.example',
          from: 'orders@rugs.example',
          smtpUrl: 'smtps://kilim:secret@mail.rugs.example',
        },
        timestampUrl: 'http://timestamp.example/tsa',
      },
    },
    admin: {
      username: 'ada',
      password: 'long',
      breachUrl: 'https://api.pwnedpasswords.com/range/',
      secondFactorKey: undefined,
      needsSecondFactor: false,
    },
    square: {
      environment: 'sandbox',
      accessToken: 'EAAA-sandbox-token',
      applicationId: 'sandbox-sq0idb-shop',
      locationId: 'LSHOP',
      webhookSignatureKey: 'key',
      webhookUrl: 'https://hooks.example.com/square',
      baseUrl: 'http://localhost:9000',
      scriptUrl: 'https://sandbox.web.squarecdn.com/v1/square.js',
      ownSimulator: undefined,
    },
    embedding: {
      parentOrigins: ['https://www.example.com', 'https://example.com'],
      checkoutTopLevel: true,
      abConversionUrl: 'https://ab.example.com/convert',
      demoParentPort: 9001,
    },
    cloudinary: { cloudName: 'cloud', uploadPreset: 'preset' },
    business: { name: 'Rugs', phone: '1', bookingUrl: 'https://example.com/book', timeZone: 'Europe/Berlin' },
    logging: { level: 'debug' },
  });
});

describe('a wrong value stops the start with a sentence that names its variable', () => {
  test.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['THROTTLE_FACTOR', '0'],
    ['THROTTLE_FACTOR', 'off'],
    ['THROTTLE_FACTOR', '0.5'],
    ['DECLINES_PER_HOUR', '0'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['SIMULATOR_PORT', '99999'],
    ['DEMO_PARENT_PORT', 'x'],
    ['TRUST_PROXY', 'true'],
    ['LEDGER_SIGNING_KEY', 'c2VjcmV0'],
    // A key of another type: X25519.
    ['LEDGER_SIGNING_KEY', 'MC4CAQAwBQYDK2VuBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'prod'],
    ['PUBLIC_URL', 'shop.example.com'],
    ['PUBLIC_URL', 'https://shop.example.com/shop'],
    ['SIMULATOR_PUBLIC_URL', 'ftp://localhost'],
    ['DATABASE_URL', 'mysql://db/kilim'],
    ['DATABASE_URL', 'postgres://kilim:pa55word@db1:port,db2/kilim'],
    ['DATABASE_URL', 'postgres://kilim:pa55word@db1,/kilim'],
    ['DATABASE_URL', 'postgres://kilim:pa55word@db1'],
    ['SQUARE_ENVIRONMENT', 'Sandbox'],
    ['SQUARE_BASE_URL', 'localhost:9000'],
    ['SQUARE_WEBHOOK_URL', '/api/webhooks/square'],
    ['CHECKOUT_TOP_LEVEL', 'yes'],
    ['PARENT_ORIGINS', '*'],
    ['PARENT_ORIGINS', 'https://*.example.com'],
    ['PARENT_ORIGINS', 'https://example.com,https://example.com/page'],
    ['PARENT_ORIGINS', 'https://user@example.com'],
    ['AB_CONVERSION_URL', 'javascript:alert(1)'],
    ['PASSWORD_BREACH_URL', 'http://api.pwnedpasswords.com/range/'],
    ['BOOKING_URL', 'example'],
    ['WITNESS_TIMESTAMP_URL', 'timestamp.example'],
    ['BUSINESS_TIME_ZONE', 'Mars/Olympus'],
  ])('%s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must .*\\.$`));
  });

  test('one run reports all problems', () => {
    const problems = problemsOf({
      PORT: 'x',
      TRUST_PROXY: 'y',
      CLOUDINARY_CLOUD_NAME: 'cloud',
      NODE_ENV: 'production',
    });
    const named = ['PORT', 'TRUST_PROXY', 'CLOUDINARY_UPLOAD_PRESET'];
    const forProduction = [
      ...['OFFICE_URL', 'SQUARE_ENVIRONMENT', 'DATABASE_URL', 'ADMIN_PASSWORD', 'LEDGER_SIGNING_KEY', 'PUBLIC_URL'],
    ];
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([...named, ...forProduction]);
  });

  test('no sentence repeats a value, because it may be a misplaced secret', () => {
    const secret = 'EAAAsecret';
    const everything = Object.fromEntries(variableNames.map((name) => [name, secret]));
    const text = problemsOf(everything).join('\n');
    expect(text).toContain('PORT must');
    expect(text).not.toContain(secret);
  });
});

describe('the witnesses', () => {
  test('include the accountant of the mails', () => {
    const mail = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'orders@rugs.example' };
    expect(environmentOf(mail).ledger.witnesses.mail).toBeUndefined();
    const { ledger } = environmentOf({ ...mail, MAIL_ACCOUNTANT_TO: 'ada@accountant.example' });
    expect(ledger.witnesses.mail?.to).toBe('ada@accountant.example');
  });

  test('are none by default', () => {
    const none = { mail: undefined, timestampUrl: undefined };
    expect(environmentOf({}).ledger.witnesses).toEqual(none);
  });
});

describe('the mails', () => {
  test('need a server and a sender', () => {
    const named = (variables: Variables) => problemsOf(variables).map((problem) => problem.split(' ')[0]);
    expect(named({ MAIL_SHOP_TO: 'owner@rugs.example' })).toEqual(['SMTP_URL', 'MAIL_FROM']);
    expect(named({ SMTP_URL: 'smtps://mail.example' })).toEqual(['MAIL_FROM']);
  });

  test.each(['mail.example', 'smtp://mail.example/inbox', 'https://mail.example'])(
    'SMTP_URL=%s is no mail server',
    (url) => {
      expect(problemsOf({ MAIL_FROM: 'orders@rugs.example', SMTP_URL: url })).toEqual([
        expect.stringMatching(/^SMTP_URL must look like smtps/),
      ]);
    },
  );

  test('go to the own mailbox in development, and nowhere in production', () => {
    expect(environmentOf({})).toMatchObject({ mail: undefined, ownMailbox: { port: 0 } });
    expect(environmentOf(production)).toMatchObject({ mail: undefined, ownMailbox: undefined });
  });
});

describe('the database', () => {
  test('MIGRATION_DATABASE_URL without DATABASE_URL stops the start', () => {
    expect(problemsOf({ MIGRATION_DATABASE_URL: 'postgres://kilim@db/kilim' })).toEqual([
      'DATABASE_URL must be set when MIGRATION_DATABASE_URL is.',
    ]);
  });

  test.each([
    'postgres://kilim@db/kilim',
    'postgresql://kilim:p%40ss@db:5432/kilim?sslmode=require',
    'postgres://kilim:x@db1:5432,db2:5433/kilim?target_session_attrs=primary',
    'postgres://kilim@[::1]:5432/kilim',
  ])('%s is accepted as its address', (url) => {
    expect(environmentOf({ DATABASE_URL: url }).database.url).toBe(url);
  });
});

describe('Square', () => {
  test.each([
    ['sandbox', 'https://sandbox.web.squarecdn.com/v1/square.js', 'sandbox-sq0idb-shop'],
    ['production', 'https://web.squarecdn.com/v1/square.js', 'sq0idp-shop'],
  ])("%s has its own script, and never the simulator's signature key", (environment, scriptUrl, applicationId) => {
    const { square } = environmentOf({
      ...production,
      SQUARE_ENVIRONMENT: environment,
      SQUARE_APPLICATION_ID: applicationId,
    });
    expect(square).toMatchObject({ scriptUrl, ownSimulator: undefined, webhookSignatureKey: undefined });
    expect(square.webhookUrl).toBe('https://shop.example.com/api/webhooks/square');
  });

  test.each(['sandbox', 'production'])('%s needs a token, an application and a location of its own', (environment) => {
    const needed = ['SQUARE_ACCESS_TOKEN', 'SQUARE_APPLICATION_ID', 'SQUARE_LOCATION_ID'];
    const without = Object.fromEntries(needed.map((name) => [name, undefined]));
    const problems = problemsOf({ ...production, ...without, SQUARE_ENVIRONMENT: environment });
    expect(problems).toEqual(needed.map((name) => `${name} must be set when SQUARE_ENVIRONMENT is ${environment}.`));
  });

  test.each([
    ['simulator', 'sq0idp-shop', 'sandbox-sq0idb-'],
    ['sandbox', 'sq0idp-shop', 'sandbox-sq0idb-'],
    ['production', 'sandbox-sq0idb-shop', 'sq0idp-'],
    ['production', 'shop', 'sq0idp-'],
  ])('%s refuses the application id %s', (environment, applicationId, prefix) => {
    const base = environment === 'production' ? production : sandbox;
    const variables = { ...base, SQUARE_ENVIRONMENT: environment, SQUARE_APPLICATION_ID: applicationId };
    expect(problemsOf(variables)).toEqual([
      `SQUARE_APPLICATION_ID must begin with ${prefix} when SQUARE_ENVIRONMENT is ${environment}.`,
    ]);
  });

  test('SQUARE_BASE_URL names a running simulator, and the server starts none', () => {
    const { square } = environmentOf({ SQUARE_BASE_URL: 'http://square:9000', SIMULATOR_PORT: '9000' });
    expect(square).toMatchObject({ environment: 'simulator', baseUrl: 'http://square:9000', ownSimulator: undefined });
  });

  test('the simulator that the server starts has a port and an optional address for browsers', () => {
    const { square } = environmentOf({ SIMULATOR_PORT: '9000', SIMULATOR_PUBLIC_URL: 'http://localhost:9000' });
    expect(square.ownSimulator).toEqual({ port: 9000, publicUrl: 'http://localhost:9000' });
  });

  test("the server's own local Square uses its local address for webhooks, any other the public address", () => {
    const PUBLIC_URL = 'https://shop.example.com';
    const webhookUrlOf = (variables: Variables) => environmentOf({ PUBLIC_URL, ...variables }).square.webhookUrl;
    expect(webhookUrlOf({})).toBeUndefined();
    expect(webhookUrlOf({ SQUARE_BASE_URL: 'http://square:9000' })).toBe(`${PUBLIC_URL}/api/webhooks/square`);
    expect(webhookUrlOf({ SQUARE_WEBHOOK_URL: 'https://hooks.example.com/x' })).toBe('https://hooks.example.com/x');
  });

  test.each([
    { NODE_ENV: 'production', SQUARE_ENVIRONMENT: 'production', SQUARE_APPLICATION_ID: 'sq0idp-shop' },
    { NODE_ENV: 'production', SQUARE_ENVIRONMENT: 'sandbox', SQUARE_APPLICATION_ID: 'sandbox-sq0idb-shop' },
  ])('SQUARE_BASE_URL is refused with NODE_ENV=$NODE_ENV and SQUARE_ENVIRONMENT=$SQUARE_ENVIRONMENT', (variables) => {
    const problems = problemsOf({ ...production, ...variables, SQUARE_BASE_URL: 'https://square.example.com' });
    expect(problems).toEqual([expect.stringMatching(/^SQUARE_BASE_URL must not be set in production/)]);
  });
});

describe('limits on requests', () => {
  test('limits are wider where only test cards are accepted', () => {
    expect(environmentOf({}).throttling).toEqual({ factor: 20, mostDeclinesPerHour: 60 });
    expect(environmentOf(sandbox).throttling).toEqual({ factor: 1, mostDeclinesPerHour: 60 });
    expect(environmentOf({ THROTTLE_FACTOR: '1' }).throttling.factor).toBe(1);
  });

  test('limits can be widened in production, but not switched off', () => {
    expect(environmentOf({ ...production, THROTTLE_FACTOR: '10' }).throttling.factor).toBe(10);
    expect(problemsOf({ ...production, THROTTLE_FACTOR: '11' })).toEqual([
      expect.stringMatching(/^THROTTLE_FACTOR must be at most 10 when NODE_ENV is production/),
    ]);
  });
});

describe('the back office', () => {
  test('has the next port in development, and no port of its own in production', () => {
    const portOf = (variables: Variables) => environmentOf(variables).server.officePort;
    expect(portOf({ PORT: '9000' })).toBe(9001);
    expect(portOf({ PORT: '9000', OFFICE_PORT: '7000' })).toBe(7000);
    expect([portOf({ PORT: '0' }), portOf({ PORT: '65535' })]).toEqual([0, 0]);
    expect(portOf(production)).toBeUndefined();
  });

  test("cannot have the shop's address", () => {
    const PUBLIC_URL = 'http://localhost:8080';
    const problem = 'OFFICE_URL must be another address than PUBLIC_URL.';
    expect(problemsOf({ PUBLIC_URL, OFFICE_URL: 'http://LOCALHOST:8080/' })).toEqual([problem]);
    expect(problemsOf({ PUBLIC_URL, OFFICE_URL: 'http://localhost:8081' })).toEqual([]);
  });
});

describe('NODE_ENV=production', () => {
  test('the server starts when all production settings are present', () => {
    const environment = environmentOf(production);
    expect(environment).toMatchObject({ production: true, square: { environment: 'production' } });
  });

  test('the sandbox is allowed, for a rehearsal on production machines', () => {
    const rehearsal = { ...production, SQUARE_ENVIRONMENT: 'sandbox', SQUARE_APPLICATION_ID: 'sandbox-sq0idb-shop' };
    expect(environmentOf(rehearsal).square.environment).toBe('sandbox');
  });

  test.each([
    [
      'the simulator',
      { SQUARE_ENVIRONMENT: 'simulator', SQUARE_APPLICATION_ID: undefined },
      /^SQUARE_ENVIRONMENT must be/,
    ],
    [
      'the simulator by default',
      { SQUARE_ENVIRONMENT: undefined, SQUARE_APPLICATION_ID: undefined },
      /^SQUARE_ENVIRONMENT must/,
    ],
    ['the embedded database', { DATABASE_URL: undefined }, /^DATABASE_URL must name a PostgreSQL/],
    ['a generated signing key', { LEDGER_SIGNING_KEY: undefined }, /^LEDGER_SIGNING_KEY must be set/],
    ['a generated password', { ADMIN_PASSWORD: undefined }, /^ADMIN_PASSWORD must be set/],
    ['an address without encryption', { PUBLIC_URL: 'http://shop.example.com' }, /^PUBLIC_URL must be the https:/],
    ['an office without an address', { OFFICE_URL: undefined }, /^OFFICE_URL must be the https:/],
    ['an office without encryption', { OFFICE_URL: 'http://office.example.com' }, /^OFFICE_URL must be the https:/],
    ['an office at the shop', { OFFICE_URL: 'https://SHOP.example.com' }, /^OFFICE_URL must have another host name/],
    ['an office at a port of the shop', { OFFICE_URL: 'https://shop.example.com:8443' }, /^OFFICE_URL must have/],
    ['a port of the office', { OFFICE_PORT: '8081' }, /^OFFICE_PORT must not be set/],
    ['a password alone', { SECOND_FACTOR_REQUIRED: 'false' }, /^SECOND_FACTOR_REQUIRED must not be false/],
    ['a guessed public address', { PUBLIC_URL: undefined }, /^PUBLIC_URL must be the https:/],
    [
      'no TLS to the database',
      { DATABASE_URL: 'postgres://kilim:x@db/kilim' },
      /^DATABASE_URL must end with \?sslmode=/,
    ],
    ['optional TLS', { DATABASE_URL: 'postgres://kilim:x@db/kilim?sslmode=prefer' }, /^DATABASE_URL must end with/],
    ['one remote host', { DATABASE_URL: 'postgres://kilim:x@127.0.0.1,db/kilim' }, /^DATABASE_URL must end with/],
    ['a host like this machine', { DATABASE_URL: 'postgres://kilim:x@127.0.0.1.test/kilim' }, /^DATABASE_URL must end/],
    ['no TLS for the owner', { MIGRATION_DATABASE_URL: 'postgres://o:x@db/kilim' }, /^MIGRATION_DATABASE_URL must end/],
    [
      'a published password',
      { DATABASE_URL: 'postgres://kilim:trial-app-password@localhost/kilim' },
      /^DATABASE_URL must have a password of its own/,
    ],
    ['no proxy in front of https', { TRUST_PROXY: '0' }, /^TRUST_PROXY must be the number of proxies/],
    ['no proxy by default', { TRUST_PROXY: undefined }, /^TRUST_PROXY must be the number of proxies/],
    ...['fatal', 'error', 'warn', 'silent', 'trace'].map(
      (level) => [`the log level ${level}`, { LOG_LEVEL: level }, /^LOG_LEVEL must be info or debug/] as const,
    ),
    [
      'ten thousand declines',
      { DECLINES_PER_HOUR: '10000' },
      /^DECLINES_PER_HOUR times THROTTLE_FACTOR must be at most/,
    ],
    [
      'declines that the factor multiplies',
      { DECLINES_PER_HOUR: '70', THROTTLE_FACTOR: '10' },
      /^DECLINES_PER_HOUR times THROTTLE_FACTOR must be at most/,
    ],
    ['a short token', { METRICS_TOKEN: 'a' }, /^METRICS_TOKEN must have at least 16 characters/],
    ['a repeated token', { METRICS_TOKEN: 'abababababababab' }, /^METRICS_TOKEN must have at least 16 characters/],
    ['a short key', { SQUARE_WEBHOOK_SIGNATURE_KEY: 'k' }, /^SQUARE_WEBHOOK_SIGNATURE_KEY must have at least 16/],
    ["a short token of Square's", { SQUARE_ACCESS_TOKEN: 'EAAA' }, /^SQUARE_ACCESS_TOKEN must have at least 16/],
    ['reports in the clear', { AB_CONVERSION_URL: 'http://ab.example.com' }, /^AB_CONVERSION_URL must use https/],
    [
      'a parent in the clear',
      { PARENT_ORIGINS: 'https://example.com, http://example.com' },
      /^PARENT_ORIGINS must use https/,
    ],
    [
      'a breach service in the clear, on this machine too',
      { PASSWORD_BREACH_URL: 'http://localhost:8080/range' },
      /^PASSWORD_BREACH_URL must use https/,
    ],
    ['notifications in the clear', { SQUARE_WEBHOOK_URL: 'http://shop.example.com/x' }, /^SQUARE_WEBHOOK_URL must use/],
    ['real cards in development', { NODE_ENV: undefined }, /^NODE_ENV must be production when SQUARE_ENVIRONMENT is/],
  ] as const)('%s is refused', (_, change, sentence) => {
    expect(problemsOf({ ...production, ...change })).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    { DATABASE_URL: 'postgres://kilim:x@localhost/kilim' },
    { DATABASE_URL: 'postgres://kilim:x@127.0.0.1:5433/kilim' },
    { DATABASE_URL: 'postgres://kilim:x@[::1]:5432/kilim' },
    { DATABASE_URL: 'postgres://kilim@%2Fvar%2Frun%2Fpostgresql/kilim' },
    { DATABASE_URL: 'postgres://kilim:x@db/kilim?sslmode=require' },
    { DATABASE_URL: 'postgres://kilim:x@db/kilim?sslrootcert=system' },
    { DATABASE_URL: 'postgres://kilim:x@db/kilim', DATABASE_NETWORK: 'private' },
    { METRICS_TOKEN: 'a9d4e07c5b1f4a2e' },
    { SQUARE_WEBHOOK_SIGNATURE_KEY: 'Ge3kVFzZz8y1ZBv9zMQWmg' },
    { LOG_LEVEL: 'debug' },
    { DECLINES_PER_HOUR: '60', THROTTLE_FACTOR: '10' },
  ])('the server starts with %o', (change) => {
    expect(problemsOf({ ...production, ...change })).toEqual([]);
  });

  test('security events are logged in a terminal, too', () => {
    expect(environmentOf(production).logging.level).toBe('info');
  });
});

test('.env.example shows every variable and no other', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const shown = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(shown.toSorted()).toEqual(variableNames.toSorted());
});
