import type { Sql } from '../core/database/database.ts';
import type { Throttling } from '../core/http/api.ts';
import type { Origins } from '../core/http/origins.ts';
import type { SquareWebhooks } from '../core/http/square-webhooks.ts';
import type { SavedSettings } from '../core/queries/saved-settings.ts';
import type { Logger } from '../core/runtime/logger.ts';
import { openSmtp } from '../core/runtime/smtp.ts';
import { type DoorOptions, type SecondFactorRules, stolenPasswordsAt } from '../people/room.ts';
import { type Environment, webhookPath } from './env.ts';
import { reachable } from './listen.ts';
import type { OpenedMail } from './start-peers.ts';

// The environment, as the parts want it.

export function mailsOf(mail: OpenedMail, settings: SavedSettings, urls: Origins) {
  const current = () => settings.latest().settings;
  return { settings: current, smtp: openSmtp(mail.place), from: mail.place.from, recipients: recipientsOf(mail), urls };
}

export function recipientsOf({ place: { shopTo: shop, operatorTo: operator, accountantTo: accountant } }: OpenedMail) {
  return { shop, operator, accountant };
}

export function throttlingOf({ square, server, throttling }: Environment, sql: Sql): Throttling {
  return { sql, secret: square.accessToken, trustedProxies: server.trustedProxies, ...throttling };
}

export function isStolenOf({ admin: { breachUrl } }: Environment, log: Logger): DoorOptions['isStolen'] {
  return breachUrl === undefined ? undefined : stolenPasswordsAt(breachUrl, log);
}

/** Development needs no key, because its database has nothing to protect. */
export function secondFactorOf({ admin, production }: Environment): SecondFactorRules {
  return { required: admin.needsSecondFactor, key: admin.secondFactorKey ?? (production ? undefined : 'development') };
}

/** The local Square uses the server's own address. */
export function webhooksOf(
  { square, server }: Environment,
  port: number,
): Pick<SquareWebhooks, 'url' | 'signatureKey'> {
  return {
    url: square.webhookUrl ?? `http://${reachable(server.host)}:${port}${webhookPath}`,
    signatureKey: square.webhookSignatureKey,
  };
}
