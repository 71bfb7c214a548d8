import { peopleTexts } from '@kilim/domain/admin/people';
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import {
  oneTimeSecret,
  passkeyCreationOptions,
  recoveryCodes,
  secondFactorAdded,
  secondFactors,
} from '../../../contract/second-factor.ts';
import { newOneTimeCode, newPasskey, secondFactorName } from '../../../contract/second-factor-requests.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { Client } from '../../server/throttle/client-address.ts';
import type { CodeWorld } from '../../sign-in/second-factor/check-code.ts';
import { type ListedFactor, listFactors, renameFactor } from '../../sign-in/second-factor/factors.ts';
import { type Challenged, creationOptions } from '../../sign-in/second-factor/passkeys.ts';
import { recoveryCodesLeft } from '../../sign-in/second-factor/recovery-codes.ts';
import type { RelyingParty } from '../../sign-in/second-factor/relying-party.ts';
import { type ProvenSession, sealSession } from '../../sign-in/sessions.ts';
import type { Commanded } from '../../use-case/record-admin-events.ts';
import {
  addOneTimeCode,
  addPasskey,
  proposeOneTimeCode,
  removeFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
} from '../../use-case/second-factor.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import type { AdminCookies } from './cookies.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';
import type { SecurityOf } from './security-of.ts';
import type { UnknownTokens } from './unknown-tokens.ts';

export type SecondFactorOptions = {
  readonly world: CodeWorld & {
    /** Absent: the back office has an IP address, which cannot have passkeys. */
    readonly party: RelyingParty | undefined;
    /** Seals the challenges of sign-ins. */
    readonly secret: string;
  };
  readonly guard: AdminGuard;
  readonly cookies: AdminCookies;
  readonly clientOf: (c: Context) => Client;
  readonly securityOf: SecurityOf;
  readonly unknownTokens: UnknownTokens;
  /** Whether the back office stays closed until the account has a second factor. */
  readonly required: boolean;
  /** Shown by authenticators. */
  readonly businessName: () => string;
};

/** A person's own second factors, and the reset by an owner for a person who lost them. */
export function adminSecondFactor(options: SecondFactorOptions) {
  return new Hono<AdminVariables>()
    .route('/second-factor', ownFactors(options))
    .route('/second-factor/passkeys', newPasskeys(options))
    .route('/second-factor/one-time-code', newOneTimeCodes(options))
    .post(
      '/people/:username/reset-second-factor',
      options.guard.may<'/people/:username/reset-second-factor'>('managePeople', async (c, session) => {
        const by: Commanded = {
          actor: `admin:${session.username}`,
          requestId: c.get('requestId'),
          security: options.securityOf(c),
        };
        const reset = await resetSecondFactor(options.world, c.req.param('username'), by);
        return reset === undefined ? answerProblem(c, noSuchAccount) : c.body(null, 204);
      }),
    );
}

function ownFactors({ world, guard, required, securityOf }: SecondFactorOptions) {
  const { sql, party, seal } = world;
  return new Hono<AdminVariables>()
    .get(
      '/',
      guard.may('useOwnAccount', async (c, { username }) => {
        const listed = await repeatWhileAway(() => listFactors(sql, username));
        const left = await repeatWhileAway(() => recoveryCodesLeft(sql, username));
        return c.json(
          z.encode(secondFactors, {
            factors: listed.map(factorAnswer),
            recoveryCodesLeft: left,
            required,
            passkeyOrigin: party?.origin ?? null,
            offersOneTimeCodes: seal !== undefined,
          }),
        );
      }),
    )
    .post(
      '/recovery-codes',
      guard.may('changeOwnSecondFactor', async (c, session) => {
        const by = { requestId: c.get('requestId'), security: securityOf(c) };
        const codes = await replaceRecoveryCodes(world, session, by);
        if (codes === undefined) return answerProblem(c, noFactorYet);
        return c.json(z.encode(recoveryCodes, { recoveryCodes: [...codes] }));
      }),
    )
    .post(
      '/:id/name',
      guard.may(
        'useOwnAccount',
        checked(body(secondFactorName), async (c, { username }) => {
          const id = c.req.param('id') ?? '';
          const { name } = c.req.valid('json');
          const isRenamed = isId(id) && (await inTime(renameFactor(sql, username, { id, name })));
          return isRenamed ? c.body(null, 204) : answerProblem(c, noSuchFactor);
        }),
      ),
    )
    .delete(
      '/:id',
      guard.may('changeOwnSecondFactor', async (c, session) => {
        const id = c.req.param('id') ?? '';
        const asked = { id, requestId: c.get('requestId'), security: securityOf(c) };
        const isRemoved = isId(id) && (await removeFactor(world, session, asked));
        return isRemoved ? c.body(null, 204) : answerProblem(c, noSuchFactor);
      }),
    );
}

/** The session has its second factor since now. */
async function sealAgain(c: Context, { world: { sql }, cookies }: SecondFactorOptions): Promise<void> {
  const token = await inTime(sealSession(sql, cookies.session.read(c) ?? ''));
  if (token !== undefined) cookies.session.write(c, token);
}

function newPasskeys(options: SecondFactorOptions) {
  const { world, guard, businessName, securityOf } = options;
  const { party } = world;
  return new Hono<AdminVariables>()
    .post(
      '/options',
      guard.may('changeOwnSecondFactor', async (c, { id, username, displayName }) => {
        if (party === undefined) return answerProblem(c, noPasskeysHere);
        const challenged: Challenged = { holder: { kind: 'session', id }, purpose: 'add' };
        const user = { username, displayName, businessName: businessName() };
        const made = await creationOptions({ ...world, party }, challenged, user);
        return c.json(z.encode(passkeyCreationOptions, fitting(made)));
      }),
    )
    .post(
      '/',
      guard.may(
        'changeOwnSecondFactor',
        checked(body(newPasskey), async (c, session) => {
          if (party === undefined) return answerProblem(c, noPasskeysHere);
          const { name, credential } = c.req.valid('json');
          const { transports = [], ...response } = credential.response;
          const asked = {
            name,
            // A browser may know transports that the library does not; they are only hints.
            response: { ...credential, response: { ...response, transports } },
            requestId: c.get('requestId'),
            security: securityOf(c),
          };
          const added = await addPasskey({ ...world, party }, session, asked);
          if (!added.ok && added.rejection === 'NotProven') {
            await asked.security.note({ ...failedEnrolment(session), factor: 'passkey', throttled: false });
          }
          if (!added.ok) return answerProblem(c, passkeyRefusals[added.rejection]);
          await sealAgain(c, options);
          return c.json(z.encode(secondFactorAdded, codesOf(added.value)));
        }),
      ),
    );
}

function newOneTimeCodes(options: SecondFactorOptions) {
  const { world, guard, businessName, securityOf } = options;
  const { seal } = world;
  return new Hono<AdminVariables>()
    .post(
      '/secret',
      guard.may('changeOwnSecondFactor', async (c, { username }) => {
        if (seal === undefined) return answerProblem(c, noOneTimeCodesHere);
        const proposed = await proposeOneTimeCode({ ...world, seal }, username, businessName());
        return proposed === undefined ? answerProblem(c, alreadyHasApp) : c.json(z.encode(oneTimeSecret, proposed));
      }),
    )
    .post(
      '/',
      guard.may(
        'changeOwnSecondFactor',
        checked(body(newOneTimeCode), async (c, session) => {
          if (seal === undefined) return answerProblem(c, noOneTimeCodesHere);
          const security = securityOf(c);
          const asked = { ...c.req.valid('json'), requestId: c.get('requestId'), security };
          const added = await addOneTimeCode({ ...world, seal }, session, asked);
          if (!added.ok) {
            await security.note({ ...failedEnrolment(session), factor: 'one-time-code', throttled: false });
            return answerProblem(c, wrongFirstCode);
          }
          await sealAgain(c, options);
          return c.json(z.encode(secondFactorAdded, codesOf(added.value)));
        }),
      ),
    );
}

export const noPasskeysHere: Problem = {
  status: 409,
  code: 'NoPasskeysHere',
  message: 'Passkeys need a host name, and the address of the back office is an IP address.',
};

const noOneTimeCodesHere: Problem = {
  status: 409,
  code: 'NoOneTimeCodesHere',
  message: 'One-time codes are off. The operator of the server can turn them on with SECOND_FACTOR_KEY.',
};

const alreadyHasApp: Problem = {
  status: 409,
  code: 'AlreadyAdded',
  message: 'You have an authenticator app already. Remove it first.',
};

const noFactorYet: Problem = {
  status: 409,
  code: 'NoSecondFactor',
  message: 'Please add a passkey or an authenticator app first.',
};

const noSuchAccount: Problem = { status: 404, code: 'NotFound', message: peopleTexts.noSuchAccount };

const noSuchFactor: Problem = { status: 404, code: 'NotFound', message: 'This second factor was removed before.' };

const passkeyRefusals = {
  NotProven: { status: 422, code: 'WrongPasskey', message: 'This passkey was not accepted. Please try again.' },
  TooMany: {
    status: 409,
    code: 'TooManyPasskeys',
    message: 'This passkey is known already, or you have ten passkeys. Please remove one that you no longer use.',
  },
} as const satisfies Record<string, Problem>;

const wrongFirstCode = invalidFields({ code: 'This code is not correct. Enter the code that the app shows now.' });

function failedEnrolment({ username }: ProvenSession) {
  return { kind: 'second-factor-failed', username, step: 'enrolment' } as const;
}

function isId(text: string): boolean {
  return z.uuid().safeParse(text).success;
}

function factorAnswer({ id, kind, name, createdAt, usedAt }: ListedFactor) {
  return { id, kind, name, createdAt: createdAt.toISOString(), usedAt: usedAt?.toISOString() ?? null };
}

function codesOf({ recoveryCodes: codes }: { readonly recoveryCodes: readonly string[] | undefined }) {
  return { recoveryCodes: codes === undefined ? null : [...codes] };
}

type Options = Awaited<ReturnType<typeof creationOptions>>;

function fitting(made: Options): z.output<typeof passkeyCreationOptions> {
  const { challenge, rp, user, pubKeyCredParams, timeout = 0, excludeCredentials = [] } = made;
  return {
    ...{ challenge, user, pubKeyCredParams, timeout },
    rp: { id: rp.id ?? '', name: rp.name },
    excludeCredentials: excludeCredentials.map(({ id, transports = [] }) => ({ id, type: 'public-key', transports })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}
