import { peopleTexts } from '@kilim/domain/people/people';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { passkeyCreationOptions } from '../../../contract/second-factor.ts';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, invalidFields, type Problem } from '../../core/http/problem.ts';
import type { ProvenSession, SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import type { Client } from '../../core/runtime/client-address.ts';
import type { CodeWorld } from '../sign-in/second-factor/check-code.ts';
import { type ListedFactor, listFactors, renameFactor } from '../sign-in/second-factor/factors.ts';
import { type Challenged, creationOptions } from '../sign-in/second-factor/passkeys.ts';
import { recoveryCodesLeft } from '../sign-in/second-factor/recovery-codes.ts';
import type { RelyingParty } from '../sign-in/second-factor/relying-party.ts';
import { sealSession } from '../sign-in/sessions.ts';
import {
  addOneTimeCode,
  addPasskey,
  proposeOneTimeCode,
  removeFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
} from '../use-case/second-factor.ts';
import type { AdminCookies } from './cookies.ts';
import { commanderOf } from './people.ts';
import type { UnknownTokens } from './unknown-tokens.ts';

export type SecondFactorOptions = {
  readonly world: CodeWorld & {
    /** Absent: the back office has an IP address, which cannot have passkeys. */
    readonly party: RelyingParty | undefined;
    /** Seals the challenges of sign-ins. */
    readonly secret: string;
  };
  readonly cookies: AdminCookies;
  readonly clientOf: (c: Context) => Client;
  readonly securityOf: SecurityOf;
  readonly unknownTokens: UnknownTokens;
  readonly required: boolean;
  readonly businessName: () => string;
};

export function serveSecondFactor(serve: Serve, options: SecondFactorOptions): void {
  serveOwnFactors(serve, options);
  serveNewPasskeys(serve, options);
  serveNewOneTimeCodes(serve, options);
  const commandedBy = commanderOf(options.securityOf);
  serve('POST /api/admin/people/:username/reset-second-factor', async (c, { by: session, params, answer }) => {
    const reset = await resetSecondFactor(options.world, params.username, commandedBy(c, session));
    return reset === undefined ? answerProblem(c, noSuchAccount) : answer(204);
  });
}

function serveOwnFactors(serve: Serve, { world, required, securityOf }: SecondFactorOptions): void {
  const { sql, party, seal } = world;
  const commandedBy = commanderOf(securityOf);
  serve('GET /api/admin/second-factor', async (_, { by: { username }, answer }) => {
    const listed = await repeatWhileAway(() => listFactors(sql, username));
    const left = await repeatWhileAway(() => recoveryCodesLeft(sql, username));
    return answer(200, {
      factors: listed.map(factorAnswer),
      recoveryCodesLeft: left,
      required,
      passkeyOrigin: party?.origin ?? null,
      offersOneTimeCodes: seal !== undefined,
    });
  });
  serve('POST /api/admin/second-factor/recovery-codes', async (c, { by: session, answer }) => {
    const codes = await replaceRecoveryCodes(world, session.username, commandedBy(c, session));
    if (codes === undefined) return answerProblem(c, noFactorYet);
    return answer(200, { recoveryCodes: [...codes] });
  });
  serve('POST /api/admin/second-factor/:id/name', async (c, { by: { username }, params: { id }, body, answer }) => {
    const { name } = body;
    const isRenamed = isId(id) && (await inTime(renameFactor(sql, username, { id, name })));
    return isRenamed ? answer(204) : answerProblem(c, noSuchFactor);
  });
  serve('DELETE /api/admin/second-factor/:id', async (c, { by: session, params: { id }, answer }) => {
    const { username } = session;
    const isRemoved = isId(id) && (await removeFactor(world, { username, id }, commandedBy(c, session)));
    return isRemoved ? answer(204) : answerProblem(c, noSuchFactor);
  });
}

async function sealAgain(c: Context, { world: { sql }, cookies }: SecondFactorOptions): Promise<void> {
  const token = await inTime(sealSession(sql, cookies.session.read(c) ?? ''));
  if (token !== undefined) cookies.session.write(c, token);
}

function serveNewPasskeys(serve: Serve, options: SecondFactorOptions): void {
  const { world, businessName, securityOf } = options;
  const { party } = world;
  serve('POST /api/admin/second-factor/passkeys/options', async (c, { by: { id, username, displayName }, answer }) => {
    if (party === undefined) return answerProblem(c, noPasskeysHere);
    const challenged: Challenged = { holder: { kind: 'session', id }, purpose: 'add' };
    const user = { username, displayName, businessName: businessName() };
    const made = await creationOptions({ ...world, party }, challenged, user);
    return answer(200, fitting(made));
  });
  serve('POST /api/admin/second-factor/passkeys', async (c, { by: session, body, answer }) => {
    if (party === undefined) return answerProblem(c, noPasskeysHere);
    const { name, credential } = body;
    const { transports = [], ...response } = credential.response;
    const asked = {
      name,
      // A browser may know transports that the library does not; they are only hints.
      response: { ...credential, response: { ...response, transports } },
      by: commanderOf(securityOf)(c, session),
    };
    const added = await addPasskey({ ...world, party }, session, asked);
    if (!added.ok && added.rejection === 'NotProven') {
      await securityOf(c).note({ ...failedEnrolment(session), factor: 'passkey', throttled: false });
    }
    if (!added.ok) return answerProblem(c, passkeyRefusals[added.rejection]);
    await sealAgain(c, options);
    return answer(200, codesOf(added.value));
  });
}

function serveNewOneTimeCodes(serve: Serve, options: SecondFactorOptions): void {
  const { world, businessName, securityOf } = options;
  const { seal } = world;
  serve('POST /api/admin/second-factor/one-time-code/secret', async (c, { by: { username }, answer }) => {
    if (seal === undefined) return answerProblem(c, noOneTimeCodesHere);
    const proposed = await proposeOneTimeCode({ ...world, seal }, username, businessName());
    return proposed === undefined ? answerProblem(c, alreadyHasApp) : answer(200, proposed);
  });
  serve('POST /api/admin/second-factor/one-time-code', async (c, { by: session, body, answer }) => {
    if (seal === undefined) return answerProblem(c, noOneTimeCodesHere);
    const asked = { ...body, by: commanderOf(securityOf)(c, session) };
    const added = await addOneTimeCode({ ...world, seal }, session, asked);
    if (!added.ok) {
      await securityOf(c).note({ ...failedEnrolment(session), factor: 'one-time-code', throttled: false });
      return answerProblem(c, wrongFirstCode);
    }
    await sealAgain(c, options);
    return answer(200, codesOf(added.value));
  });
}

export const noPasskeysHere: Problem = {
  status: 409,
  code: 'NoPasskeysHere',
  message: 'Passkeys need a host name, and the address of the back office is an IP address.',
};

const noOneTimeCodesHere: Problem = {
  status: 409,
  code: 'NoOneTimeCodesHere',
  message: 'One-time codes are off. The person who runs the server can turn them on.',
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
