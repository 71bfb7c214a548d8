import type { Hono } from 'hono';
import type { Sql } from '../../database/database.ts';
import type { SavedSettings } from '../../queries/saved-settings.ts';
import { attentionOf, type Room } from '../../room.ts';
import type { World } from '../../use-case/world.ts';
import type { Doorkeeper } from '../door.ts';
import type { ImageHost } from '../images/image-host.ts';
import { namesBackOffice } from '../origins.ts';
import { answerProblem, noSuchCall } from '../problem.ts';
import type { RequestEnv } from '../request-id.ts';
import { createServe } from '../serve.ts';
import type { Throttles } from '../throttle/throttle.ts';
import { serveAttention } from './attention.ts';
import { serveBesideOrder } from './beside-order.ts';
import { serveChanges } from './changes.ts';
import { serveFirstDay } from './first-day.ts';
import { serveImages } from './images.ts';
import { serveOrders } from './orders.ts';
import { serveOrdersCsv } from './orders-csv.ts';
import { servePickups } from './pickups.ts';
import { serveRefunds } from './refunds.ts';
import { serveReimbursements } from './reimbursements.ts';
import { serveSettings } from './settings.ts';
import { serveStatistics } from './statistics.ts';
import { serveToday } from './today.ts';

export type BackOfficeOptions = {
  readonly world: World;
  readonly timeZone: string;
  readonly settings: SavedSettings;
  readonly imageHost: ImageHost;
  readonly throttles: Throttles;
  /** Long reads must never delay a payment. */
  readonly exporting: Sql;
  readonly stalledAfterMs: number;
  readonly rooms: readonly Room[];
  /** Where the shop's mails go. Undefined: nowhere. */
  readonly shopMail: string | undefined;
  readonly shopUrl: string;
};

/** Under `/api/admin`, in any spelling, only a session learns which calls exist. */
export function serveBackOffice(app: Hono<RequestEnv>, door: Doorkeeper, options: BackOfficeOptions): void {
  const { world, timeZone, throttles, exporting, settings, rooms, stalledAfterMs, shopUrl } = options;
  const { guard, securityOf, hasProvenWithin } = door;
  const { sql, now, log } = world;
  const serve = createServe(app, guard);
  door.serve(serve);
  serveOrders(serve, { sql, now, timeZone });
  serveOrdersCsv(serve, { exporting, log, securityOf, timeZone, stalledAfterMs });
  serveBesideOrder(serve, { sql, now }, securityOf);
  servePickups(serve, { sql, now, timeZone, settings: () => settings.latest().settings });
  serveRefunds(serve, { world, securityOf, timeZone });
  serveReimbursements(serve, { world, securityOf, timeZone });
  serveAttention(serve, world, attentionOf(rooms));
  serveChanges(serve, sql);
  serveToday(serve, { sql, now, timeZone });
  serveFirstDay(serve, { sql, now, settings, shopMail: options.shopMail, shopUrl });
  serveStatistics(serve, { sql, now, timeZone });
  serveSettings(serve, { sql, now, saved: settings, timeZone, hasProvenWithin });
  serveImages(serve, { host: options.imageHost, log });
  const office = { serve, guard, securityOf, throttles, exporting, stalledAfterMs, shopUrl };
  for (const room of rooms) room.serve?.(office);
  app.all('/api/*', async (c) => {
    const proven = namesBackOffice(c.req.path) ? await guard(c, 'useOwnAccount') : undefined;
    return proven?.ok === false ? proven.rejection : answerProblem(c, noSuchCall);
  });
}
