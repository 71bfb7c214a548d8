import type { Sql } from '../../core/database/database.ts';
import type { OpenDoor } from '../../core/http/door.ts';
import type { SecurityOf } from '../../core/http/proven.ts';
import type { SavedSettings } from '../../core/queries/saved-settings.ts';
import type { World } from '../../core/use-case/world.ts';
import { relyingPartyOf } from '../sign-in/second-factor/relying-party.ts';
import { sealWith } from '../sign-in/second-factor/seal.ts';
import { createSecondFactorThrottle } from '../sign-in/second-factor/throttle.ts';
import { openSecurityLog } from '../sign-in/security-log.ts';
import { hasProvenWithin, proveSession } from '../sign-in/sessions.ts';
import { createSignInThrottle } from '../sign-in/sign-in-throttle.ts';
import type { IsStolen } from '../sign-in/stolen-passwords.ts';
import { adminCookies } from './cookies.ts';
import { createAdminGuard } from './guard.ts';
import { serveOwnAccount } from './own-account.ts';
import { servePassword, servePasswordLink } from './password.ts';
import { servePeople } from './people.ts';
import { serveRefundLimits } from './refund-limits.ts';
import { type SecondFactorOptions, serveSecondFactor } from './second-factor.ts';
import { serveSecondFactorSignIn } from './second-factor-sign-in.ts';
import { describeSession, serveSession } from './session.ts';
import { createUnknownTokens } from './unknown-tokens.ts';

export type SecondFactorRules = {
  /** Whether an account without a second factor may only add one, as in production. */
  readonly required: boolean;
  /** Absent: the server offers none. */
  readonly key: string | undefined;
};

export type DoorOptions = {
  readonly world: World;
  readonly timeZone: string;
  readonly settings: SavedSettings;
  /** In a pool of its own. The secret makes the keys unreadable. */
  readonly counting: { readonly sql: Sql; readonly secret: string };
  /** Absent: new passwords are compared with the built-in list only. */
  readonly isStolen?: IsStolen | undefined;
  /** Absent: accounts need no second factor, and the server offers no one-time codes. */
  readonly secondFactor?: SecondFactorRules | undefined;
};

export function openDoor(options: DoorOptions): OpenDoor {
  const { world, settings, counting, isStolen, timeZone } = options;
  const { required: needsSecondFactor, key } = options.secondFactor ?? { required: false, key: undefined };
  const { sql, log, now } = world;
  const { secret } = counting;
  const securityLog = openSecurityLog({ sql, log, secret });
  const ownName = () => settings.latest().settings.business.name;
  return ({ throttles, officeUrl }) => {
    const { clientOf } = throttles;
    const securityOf: SecurityOf = (c) =>
      securityLog.of({
        client: clientOf(c),
        userAgent: c.req.header('user-agent') ?? '',
        requestId: c.get('requestId'),
      });
    const cookies = adminCookies({ secure: officeUrl.startsWith('https:') });
    const unknownTokens = createUnknownTokens(throttles, securityOf);
    const factors: SecondFactorOptions = {
      world: {
        ...{ sql, log, now, secret },
        seal: key === undefined ? undefined : sealWith(key),
        party: relyingPartyOf(officeUrl),
        throttle: createSecondFactorThrottle(counting),
      },
      ...{ cookies, clientOf, securityOf, unknownTokens },
      required: needsSecondFactor,
      businessName: ownName,
    };
    const signInWorld = { sql, throttle: createSignInThrottle(counting), codes: factors.world };
    const choosing = { sql, now, ownWords: () => [ownName()], isStolen };
    return {
      guard: createAdminGuard({ sql, cookies, needsSecondFactor, unknownTokens }),
      sessionOf: async (c) => {
        const session = await proveSession(sql, cookies.session.read(c), true);
        return session && describeSession(session, sql, needsSecondFactor);
      },
      securityOf,
      hasProvenWithin: ({ id }, seconds) => hasProvenWithin(sql, id, seconds),
      serve: (serve) => {
        serveSession(serve, { cookies, clientOf, securityOf, world: signInWorld, needsSecondFactor });
        serveSecondFactorSignIn(serve, factors);
        serveSecondFactor(serve, factors);
        servePassword(serve, choosing, securityOf);
        servePasswordLink(serve, choosing, { throttles, securityOf });
        servePeople(serve, { sql, now }, securityOf);
        serveOwnAccount(serve, { sql, cookies, securityOf });
        serveRefundLimits(serve, { world, timeZone });
      },
    };
  };
}
