import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { PageData } from '../../../../contract/page-data.ts';

const pictures = ['favicon.ico', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png', 'preview.png'];

export type WebFilesOptions = {
  readonly root: string;
  readonly data: () => PageData;
};

export function webFiles({ root, data }: WebFilesOptions) {
  const app = new Hono();
  for (const picture of pictures) app.get(`/${picture}`, keepForADay, serveStatic({ root, path: picture }));
  return app
    .get('/manifest.webmanifest', keepForADay, (c) => {
      c.header('content-type', 'application/manifest+json');
      return c.body(JSON.stringify(manifestOf(data())));
    })
    .get('/robots.txt', keepForADay, (c) => c.text(robots));
}

/** The names of these files never change. */
const keepForADay = createMiddleware(async (c, next) => {
  await next();
  if (c.res.ok) c.res.headers.set('cache-control', 'public, max-age=86400');
});

/** Other pages tell search engines themselves to leave them out, so robots must read them. */
const robots = 'User-agent: *\nDisallow: /api/\n';

function manifestOf({ config: { business } }: PageData): object {
  const icon = (pixels: number) => ({ src: `/icon-${pixels}.png`, sizes: `${pixels}x${pixels}`, type: 'image/png' });
  return {
    name: business.name,
    short_name: business.name,
    start_url: '/',
    scope: '/',
    // A payment page should show where it is.
    display: 'minimal-ui',
    background_color: '#fbf8f3',
    theme_color: '#fbf8f3',
    icons: [icon(192), icon(512)],
  };
}
