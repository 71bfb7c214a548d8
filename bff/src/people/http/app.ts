import type { Hono } from 'hono';
import type { Sql } from '../../core/database/database.ts';
import type { ImageHost } from '../../core/http/images/image-host.ts';
import { type BackOfficeOptions, serveBackOffice } from '../../core/http/office/back-office.ts';
import { serveImages } from '../../core/http/office/images.ts';
import { serveSettings } from '../../core/http/office/settings.ts';
import { answerProblem, noSuchCall } from '../../core/http/problem.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import { createServe } from '../../core/http/serve.ts';
import type { SavedSettings } from '../../core/queries/saved-settings.ts';
import { relyingPartyOf } from '../sign-in/second-factor/relying-party.ts';
import { sealWith } from '../sign-in/second-factor/seal.ts';
import { createSecondFactorThrottle } from '../sign-in/second-factor/throttle.ts';
import { createSignInThrottle } from '../sign-in/sign-in-throttle.ts';
import type { IsStolen } from '../sign-in/stolen-passwords.ts';
import { adminCookies } from './cookies.ts';
import { createAdminGuard, namesBackOffice } from './guard.ts';
import { serveOwnAccount } from './own-account.ts';
import { servePassword } from './password.ts';
import { servePasswordLink } from './password-link.ts';
import { servePeople } from './people.ts';
import { type SecondFactorOptions, serveSecondFactor } from './second-factor.ts';
import { serveSecondFactorSignIn } from './second-factor-sign-in.ts';
import { serveSession } from './session.ts';
import { serveSessions } from './sessions.ts';
import { createUnknownTokens } from './unknown-tokens.ts';

export type SecondFactorRules = {
  /** Whether an account without a second factor may only add one, as in production. */
  readonly required: boolean;
  /** Absent: the server offers none. */
  readonly key: string | undefined;
};

export type OfficeOptions = BackOfficeOptions & {
  readonly settings: SavedSettings;
  readonly imageHost: ImageHost;
  readonly officeUrl: string;
  /** In a pool of its own. The secret makes the keys unreadable. */
  readonly counting: { readonly sql: Sql; readonly secret: string };
  readonly isStolen: IsStolen | undefined;
  /** Absent: accounts need no second factor, and the server offers no one-time codes. */
  readonly secondFactor?: SecondFactorRules | undefined;
};

/** Under `/api/admin`, in any spelling, only a session learns which calls exist. */
export function serveOffice(app: Hono<RequestEnv>, options: OfficeOptions): void {
  const { world, settings, imageHost, officeUrl, throttles, securityOf, counting, isStolen, timeZone } = options;
  const { secondFactor = { required: false, key: undefined } } = options;
  const { sql, log, now } = world;
  const { clientOf } = throttles;
  const cookies = adminCookies({ secure: officeUrl.startsWith('https:') });
  const unknownTokens = createUnknownTokens(throttles, securityOf);
  const guard = createAdminGuard({ sql, cookies, needsSecondFactor: secondFactor.required, unknownTokens });
  const factors: SecondFactorOptions = {
    world: {
      ...{ sql, log, now },
      seal: secondFactor.key === undefined ? undefined : sealWith(secondFactor.key),
      party: relyingPartyOf(officeUrl),
      throttle: createSecondFactorThrottle(counting),
      secret: counting.secret,
    },
    ...{ cookies, clientOf, securityOf, unknownTokens },
    required: secondFactor.required,
    businessName: () => settings.latest().settings.business.name,
  };
  const signInWorld = { sql, throttle: createSignInThrottle(counting), codes: factors.world };
  const ownWords = () => [settings.latest().settings.business.name];
  const serve = createServe(app, guard);
  const needsSecondFactor = secondFactor.required;
  serveSession(serve, { cookies, clientOf, securityOf, world: signInWorld, needsSecondFactor });
  serveSecondFactorSignIn(serve, factors);
  serveSecondFactor(serve, factors);
  serveSessions(serve, { sql, cookies, securityOf });
  servePassword(serve, { sql, now, ownWords, isStolen }, securityOf);
  servePasswordLink(serve, { sql, now, ownWords, isStolen, throttles, securityOf });
  servePeople(serve, { sql, now }, securityOf);
  serveOwnAccount(serve, sql, securityOf);
  serveSettings(serve, { sql, now, saved: settings, timeZone });
  serveImages(serve, { host: imageHost, log });
  serveBackOffice(serve, guard, options);
  app.all('/api/*', async (c) => {
    const proven = namesBackOffice(c.req.path) ? await guard(c, 'useOwnAccount') : undefined;
    return proven?.ok === false ? proven.rejection : answerProblem(c, noSuchCall);
  });
}
