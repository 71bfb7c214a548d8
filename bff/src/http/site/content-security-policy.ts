/** Which hosts the customer's pages may load from, and who may frame them. */
export type PolicyOptions = {
  readonly environment: 'simulator' | 'sandbox' | 'production';
  /** The origin of the card script. */
  readonly scriptOrigin: string;
  readonly parentOrigins: readonly string[];
  /** Where the page reports an A/B conversion, if anywhere. */
  readonly abConversionUrl: string | null;
  /** The pictures that the settings name, and the folder of the image host that new ones go to, if there is one. */
  readonly images: { readonly addresses: readonly string[]; readonly folder: string | undefined };
  /** The page's own inline scripts, as `'sha256-...'`. No other inline script runs. */
  readonly inlineScripts: readonly string[];
};

/** Square's script brings Google's for Google Pay, whose button has its pictures elsewhere. Apple Pay is the browser's own. */
const googlePayHosts = {
  script: ['https://pay.google.com'],
  connect: ['https://pay.google.com', 'https://google.com'],
  img: ['https://www.gstatic.com'],
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
 * No inline script of anybody else runs. Inline styles are allowed because Square's card field makes them, and issuers' own 3-D Secure frames
 * cannot be listed, so any https frame may be shown where real cards are taken.
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
  };
  return policyOf(directives);
}

/**
 * The back office loads nothing from Square and is framed by nobody. antd writes its style sheets while it runs: each of them carries
 * the nonce of its page.
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
  });
}

function policyOf(directives: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/** Only the hosts that the settings name, and only over https. A path that ends in a slash stands for everything below it. */
function imageHosts({ addresses, folder }: PolicyOptions['images']): readonly string[] {
  const origins = addresses
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address))
    .filter(({ protocol }) => protocol === 'https:')
    .map(({ origin }) => origin);
  return [...new Set([...origins, ...(folder === undefined ? [] : [folder])])];
}

/** Everything that the shop keeps at Cloudinary, and nothing that others do. */
export function cloudinaryFolder(cloudName: string): string {
  return `https://res.cloudinary.com/${encodeURIComponent(cloudName)}/`;
}
