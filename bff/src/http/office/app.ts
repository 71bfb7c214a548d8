import { type Context, Hono } from 'hono';
import type { Sql } from '../../database/database.ts';
import type { SavedSettings } from '../../queries/saved-settings.ts';
import type { Logger } from '../../server/logger.ts';
import { relyingPartyOf } from '../../sign-in/second-factor/relying-party.ts';
import { sealWith } from '../../sign-in/second-factor/seal.ts';
import { createSecondFactorThrottle } from '../../sign-in/second-factor/throttle.ts';
import { createSignInThrottle } from '../../sign-in/sign-in-throttle.ts';
import type { IsStolen } from '../../sign-in/stolen-passwords.ts';
import type { ImageHost } from '../images/image-host.ts';
import { answerProblem, noSuchCall } from '../problem.ts';
import type { Throttles } from '../throttle.ts';
import { adminCookies } from './cookies.ts';
import { type AdminGuard, type AdminVariables, createAdminGuard, namesBackOffice } from './guard.ts';
import { adminImages } from './images.ts';
import { adminOwnAccount } from './own-account.ts';
import { adminPassword } from './password.ts';
import { adminPasswordLink } from './password-link.ts';
import { adminPeople } from './people.ts';
import { adminSecondFactor, type SecondFactorOptions } from './second-factor.ts';
import { secondFactorSignIn } from './second-factor-sign-in.ts';
import type { SecurityOf } from './security-of.ts';
import { adminSession } from './session.ts';
import { adminSessions } from './sessions.ts';
import { adminSettings } from './settings.ts';
import { createUnknownTokens } from './unknown-tokens.ts';

export type SecondFactorRules = {
  /** Whether an account without a second factor may only add one, as in production. */
  readonly required: boolean;
  /** Encrypts the secrets of one-time codes. Absent: the server offers none. */
  readonly key: string | undefined;
};

export type AdminAppOptions = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => Date;
  readonly settings: SavedSettings;
  readonly timeZone: string;
  readonly imageHost: ImageHost;
  /** The back office's own address. */
  readonly officeUrl: string;
  readonly throttles: Throttles;
  readonly securityOf: SecurityOf;
  /** Counts attempts to sign in, in a pool of its own. The secret makes its keys unreadable. */
  readonly counting: { readonly sql: Sql; readonly secret: string };
  readonly isStolen: IsStolen | undefined;
  /** Absent: accounts need no second factor, and the server offers no one-time codes. */
  readonly secondFactor?: SecondFactorRules | undefined;
  /** Further calls of the back office, each under the guard. */
  readonly more?: (guard: AdminGuard) => Hono<AdminVariables>;
};

export type AdminApp = {
  /** For `/api/admin`. */
  readonly routes: Hono<AdminVariables>;
  /** For a path without a route. Under `/api/admin`, in any spelling, only a session learns which calls exist. */
  readonly answerUnknown: (c: Context) => Response | Promise<Response>;
};

/** The calls of the back office. The guard stands before all but signing in. */
export function adminApp(options: AdminAppOptions): AdminApp {
  const { sql, log, now, settings, imageHost, officeUrl, throttles, securityOf, counting, isStolen, more } = options;
  const { secondFactor = { required: false, key: undefined } } = options;
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
    ...{ guard, cookies, clientOf, securityOf, unknownTokens },
    required: secondFactor.required,
    businessName: () => settings.latest().settings.business.name,
  };
  const signInWorld = { sql, throttle: createSignInThrottle(counting), codes: factors.world };
  const ownWords = () => [settings.latest().settings.business.name];
  const routes = new Hono<AdminVariables>()
    .route(
      '/',
      adminSession({
        ...{ guard, cookies, clientOf, securityOf },
        world: signInWorld,
        needsSecondFactor: secondFactor.required,
      }),
    )
    .route('/', secondFactorSignIn(factors))
    .route('/', adminSecondFactor(factors))
    .route('/', adminSessions({ sql, guard, cookies, securityOf }))
    .route('/', adminPassword({ sql, now, ownWords, isStolen }, guard, securityOf))
    .route('/', adminPasswordLink({ sql, now, ownWords, isStolen }, throttles, securityOf))
    .route('/', adminPeople({ sql, now }, guard, securityOf))
    .route('/', adminOwnAccount(sql, guard, securityOf))
    .route('/', adminSettings({ sql, now, saved: settings, timeZone: options.timeZone }, guard))
    .route('/', adminImages({ host: imageHost, guard, log }));
  if (more !== undefined) routes.route('/', more(guard));
  // A guarded handler needs a router, so this is an application of its own.
  const unknown = new Hono<AdminVariables>()
    .all(
      '*',
      guard.may('useOwnAccount', (c) => answerProblem(c, noSuchCall)),
    )
    // The outer application answers all errors.
    .onError((error) => {
      throw error;
    });
  return {
    routes,
    answerUnknown: (c) =>
      namesBackOffice(c.req.path) ? unknown.fetch(c.req.raw, c.env) : answerProblem(c, noSuchCall),
  };
}
