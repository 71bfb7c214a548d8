import { reportDirectives } from './csp-reports.ts';

export type PolicyOptions = {
  readonly environment: 'simulator' | 'sandbox' | 'production';
  readonly scriptOrigin: string;
  readonly parentOrigins: readonly string[];
  /** Null: A/B conversions are not reported. */
  readonly abConversionUrl: string | null;
  /** `folder`: where the image host puts new pictures, if there is one. */
  readonly images: { readonly addresses: readonly string[]; readonly folder: string | undefined };
  /** The hashes of the page's inline scripts, as `'sha256-...'`. No other inline script runs. */
  readonly inlineScripts: readonly string[];
};

/** Square's script loads Google Pay from these hosts. Apple Pay is built into the browser. */
const googlePayHosts = {
  script: ['https://pay.google.com'],
  connect: ['https://pay.google.com', 'https://google.com'],
  img: ['https://www.gstatic.com'],
};

const squareFonts = [
  'https://square-fonts-production-f.squarecdn.com',
  'https://d1g145x70srn7h.cloudfront.net',
  'https://cash-f.squarecdn.com',
] as const;

/**
 * Square's hosts besides the script's own, from Square's documentation on content security policy.
 */
const squareHosts = {
  simulator: { connect: [], font: [] },
  sandbox: {
    connect: ['https://pci-connect.squareupsandbox.com', 'https://o160250.ingest.sentry.io'],
    font: squareFonts,
  },
  production: {
    connect: ['https://pci-connect.squareup.com', 'https://o160250.ingest.sentry.io'],
    font: squareFonts,
  },
} as const;

/** They must answer, or the card field does not appear. */
export function squareOrigins(environment: keyof typeof squareHosts): readonly string[] {
  return [...squareHosts[environment].connect, ...squareHosts[environment].font];
}

/**
 * Inline styles are allowed because Square's card field creates them. Where real cards are taken, any https frame is
 * allowed, because the issuers' 3-D Secure frames cannot be listed.
 */
export function contentSecurityPolicy(options: PolicyOptions): string {
  const { environment, scriptOrigin, parentOrigins, abConversionUrl, images, inlineScripts } = options;
  const hosts = squareHosts[environment];
  const frames = environment === 'simulator' ? [scriptOrigin] : [scriptOrigin, 'https:'];
  const wallets = environment === 'simulator' ? { script: [], connect: [], img: [] } : googlePayHosts;
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScripts, scriptOrigin, ...wallets.script],
    'style-src': ["'self'", "'unsafe-inline'", scriptOrigin],
    'font-src': ["'self'", 'data:', ...hosts.font],
    'img-src': ["'self'", 'data:', 'blob:', scriptOrigin, ...wallets.img, ...imageHosts(images)],
    'connect-src': [
      "'self'",
      scriptOrigin,
      ...hosts.connect,
      ...wallets.connect,
      ...(abConversionUrl === null ? [] : [new URL(abConversionUrl).origin]),
    ],
    'frame-src': frames,
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'self'", ...parentOrigins],
    // Square's own script may write markup. The local Square's does not.
    ...(environment === 'simulator' ? trustedTypes : {}),
    ...reportDirectives,
  };
  return policyOf(directives);
}

/** No text becomes a script, except through the two policies of the front end. */
const trustedTypes = {
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['kilim-square', 'kilim-terms'],
} as const;

/**
 * The back office loads nothing from Square and may not be framed. antd creates style sheets at run
 * time; each carries the page's nonce.
 */
export function adminContentSecurityPolicy(
  nonce: string,
  { images, inlineScripts }: Pick<PolicyOptions, 'images' | 'inlineScripts'>,
): string {
  return policyOf({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inlineScripts],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'font-src': ["'self'"],
    'img-src': ["'self'", 'blob:', ...imageHosts(images)],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...reportDirectives,
  });
}

function policyOf(directives: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources.filter(isSource)].join(' '))
    .join('; ');
}

/** Any other text could end the directive, and is left out. */
function isSource(text: string): boolean {
  return /^(?:'[\w+/=-]+'|[a-z]+:|https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?(?:\/[\w%./~-]*)?|[a-z/-]+)$/.test(
    text,
  );
}

/** A path that ends in a slash includes everything below it. */
function imageHosts({ addresses, folder }: PolicyOptions['images']): readonly string[] {
  const origins = addresses
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address))
    .filter(({ protocol }) => protocol === 'https:')
    .map(({ origin }) => origin);
  return [...new Set([...origins, ...(folder === undefined ? [] : [folder])])];
}

export function cloudinaryFolder(cloudName: string): string {
  return `https://res.cloudinary.com/${encodeURIComponent(cloudName)}/`;
}
