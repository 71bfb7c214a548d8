/** Which hosts the customer's pages may load from, and who may frame them. */
export type PolicyOptions = {
  readonly environment: 'simulator' | 'sandbox' | 'production';
  /** The origin of the card script. */
  readonly scriptOrigin: string;
  readonly parentOrigins: readonly string[];
  /** Where the page reports an A/B conversion, if anywhere. */
  readonly abConversionUrl: string | null;
};

/** Square's hosts beside its script's own, by environment (Square's documentation on content security policy). */
const squareHosts = {
  simulator: { connect: [], font: [] },
  sandbox: {
    connect: ['https://pci-connect.squareupsandbox.com', 'https://o160250.ingest.sentry.io'],
    font: [
      'https://square-fonts-production-f.squarecdn.com',
      'https://d1g145x70srn7h.cloudfront.net',
      'https://cash-f.squarecdn.com',
    ],
  },
  production: {
    connect: ['https://pci-connect.squareup.com', 'https://o160250.ingest.sentry.io'],
    font: [
      'https://square-fonts-production-f.squarecdn.com',
      'https://d1g145x70srn7h.cloudfront.net',
      'https://cash-f.squarecdn.com',
    ],
  },
} as const;

/**
 * No inline script runs. Inline styles are allowed because Square's card field makes them, and issuers' own 3-D Secure frames
 * cannot be listed, so any https frame may be shown where real cards are taken.
 */
export function contentSecurityPolicy(options: PolicyOptions): string {
  const { environment, scriptOrigin, parentOrigins, abConversionUrl } = options;
  const hosts = squareHosts[environment];
  const frames = environment === 'simulator' ? [scriptOrigin] : [scriptOrigin, 'https:'];
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", scriptOrigin],
    'style-src': ["'self'", "'unsafe-inline'", scriptOrigin],
    'font-src': ["'self'", 'data:', ...hosts.font],
    'img-src': ["'self'", 'data:', 'blob:', scriptOrigin],
    'connect-src': [
      "'self'",
      scriptOrigin,
      ...hosts.connect,
      ...(abConversionUrl === null ? [] : [new URL(abConversionUrl).origin]),
    ],
    'frame-src': frames,
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'self'", ...parentOrigins],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}
