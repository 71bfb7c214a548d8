import { tierOffers, tiers } from '@kilim/domain/catalog';
import { html } from 'hono/html';
import type { PageData } from '../../../../contract/page-data.ts';
import { jsonBlock } from './json-block.ts';

const description =
  'Rug cleaning by hand: see your price as you type, order online, drop off or have your rugs picked up.';

const preview = { path: '/preview.png', width: 1200, height: 630, alt: 'A woven rug, rolled out' } as const;

export type PageHead = {
  readonly data: PageData;
  readonly shopUrl: string;
  /** Other pages belong to one customer or one mistake. */
  readonly isHome: boolean;
};

export function withHead(page: string, { data, shopUrl, isHome }: PageHead): string {
  const { name } = data.config.business;
  const title = `${/<title>(.*?)<\/title>/s.exec(page)?.[1] ?? ''} · ${name}`;
  const about = isHome ? aboutHome({ data, title, shopUrl }) : '<meta name="robots" content="noindex">';
  return page.replace(/<title>.*?<\/title>/s, () => `${text(html`<title>${title}</title>`)}${about}`);
}

/** For browsers without scripts. */
export function callLink(phone: string): string {
  if (phone === '') return '';
  return text(html`We also take orders by phone: <a href="tel:${phone.replaceAll(/[^\d+]/g, '')}">${phone}</a>.`);
}

type Home = { readonly data: PageData; readonly title: string; readonly shopUrl: string };

function aboutHome({ data, title, shopUrl }: Home): string {
  const address = new URL('/', shopUrl).href;
  const metas = html`
    <meta name="description" content="${description}">
    <link rel="canonical" href="${address}">
    <link rel="manifest" href="/manifest.webmanifest">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${data.config.business.name}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    <meta property="og:url" content="${address}">
    <meta property="og:image" content="${new URL(preview.path, shopUrl).href}">
    <meta property="og:image:width" content="${preview.width}">
    <meta property="og:image:height" content="${preview.height}">
    <meta property="og:image:alt" content="${preview.alt}">
    <meta name="twitter:card" content="summary_large_image">`;
  return text(metas) + jsonBlock({ type: 'application/ld+json', data: businessOf(data, address) });
}

/** The business, its sites and its prices, in the vocabulary of schema.org. */
function businessOf({ config: { business }, settings }: PageData, address: string): object {
  const id = `${address}#business`;
  const known = <Value>(key: string, value: Value | '' | undefined) =>
    value === '' || value === undefined ? {} : { [key]: value };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'LocalBusiness',
        '@id': id,
        name: business.name,
        description,
        url: address,
        image: new URL(preview.path, address).href,
        ...known('telephone', business.phone),
        currenciesAccepted: 'USD',
        paymentAccepted: 'Credit card, Apple Pay, Google Pay',
        location: business.dropOffSites.map((site) => ({
          '@type': 'Place',
          name: site.name,
          ...known('description', [site.note, site.hours].filter(Boolean).join(', ')),
          ...known('address', site.address),
          ...known('url', site.link),
        })),
      },
      ...tiers.map((tier) => ({
        '@type': 'Service',
        name: `${tierOffers[tier].name} rug cleaning`,
        serviceType: 'Rug cleaning',
        description: tierOffers[tier].description,
        provider: { '@id': id },
        offers: {
          '@type': 'Offer',
          url: address,
          priceSpecification: {
            '@type': 'UnitPriceSpecification',
            price: settings.tierPrices[tier],
            priceCurrency: 'USD',
            // UN/CEFACT's square foot.
            unitCode: 'FTK',
            unitText: 'square foot',
          },
        },
      })),
    ],
  };
}

/** Nothing here is a promise, so the template is text already. */
function text(template: ReturnType<typeof html>): string {
  return template.toString();
}
