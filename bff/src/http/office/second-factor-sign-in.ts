import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { passkeyAccepted, passkeyRequestOptions } from '../../../contract/second-factor.ts';
import { passkeyAssertion, signInCode } from '../../../contract/second-factor-requests.ts';
import { signedIn as signedInAnswer } from '../../../contract/session.ts';
import { type Challenged, requestOptions } from '../../sign-in/second-factor/passkeys.ts';
import { newToken, tokenHash } from '../../sign-in/tokens.ts';
import {
  confirmWithPasskey,
  giveCode,
  givePasskey,
  type SigningIn,
  type SteppedIn,
} from '../../use-case/second-step.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminVariables, checked } from './guard.ts';
import { noPasskeysHere, type SecondFactorOptions } from './second-factor.ts';
import { answerWait, wrongCode } from './session.ts';

/** Signing in with a code after the password, or with a passkey alone, and proving a passkey again. */
export function secondFactorSignIn({
  world,
  guard,
  cookies,
  clientOf,
  securityOf,
  unknownTokens,
}: SecondFactorOptions) {
  const { party } = world;
  const signingIn = (c: Context<AdminVariables>): SigningIn => ({
    address: clientOf(c).address,
    userAgent: c.req.header('user-agent') ?? '',
    sessionToken: cookies.session.read(c),
    browserToken: cookies.browser.read(c),
    pendingToken: cookies.pending.read(c),
    security: securityOf(c),
  });
  const enter = (c: Context, { issued, browserToken }: Extract<SteppedIn, { kind: 'signed-in' }>) => {
    cookies.pending.remove(c);
    cookies.browser.write(c, browserToken);
    cookies.session.write(c, issued.token);
  };
  const routes = new Hono<AdminVariables>()
    .post('/login/code', body(signInCode), async (c) => {
      const stepped = await giveCode(world, signingIn(c), c.req.valid('json').code);
      if (stepped.kind === 'wait') return answerWait(c, stepped.seconds);
      const tooMany = stepped.kind === 'not-pending' ? await unknownTokens(c) : undefined;
      if (stepped.kind !== 'signed-in') return tooMany ?? answerProblem(c, codeRefusals[stepped.kind]);
      enter(c, stepped);
      return c.json(z.encode(signedInAnswer, { token: stepped.issued.proof }));
    })
    .post('/login/passkey/options', async (c) => {
      if (party === undefined) return answerProblem(c, noPasskeysHere);
      const known = cookies.pending.read(c);
      const token = known !== undefined && tokenHash(known) !== undefined ? known : newToken();
      if (token !== known) cookies.pending.write(c, token);
      const challenged: Challenged = { holder: { kind: 'browser', token }, purpose: 'sign-in' };
      return c.json(z.encode(passkeyRequestOptions, fitting(await requestOptions({ ...world, party }, challenged))));
    })
    .post('/login/passkey', body(passkeyAssertion), async (c) => {
      if (party === undefined) return answerProblem(c, noPasskeysHere);
      const stepped = await givePasskey({ ...world, party }, signingIn(c), c.req.valid('json'));
      if (stepped.kind !== 'signed-in') {
        return (await unknownTokens(c)) ?? answerProblem(c, { status: 401, ...wrongPasskey });
      }
      enter(c, stepped);
      return c.json(z.encode(passkeyAccepted, { success: true }));
    });
  return routes
    .post(
      '/reauthenticate/passkey/options',
      guard.may('useOwnAccount', async (c, { id }) => {
        if (party === undefined) return answerProblem(c, noPasskeysHere);
        const challenged: Challenged = { holder: { kind: 'session', id }, purpose: 'confirm' };
        return c.json(z.encode(passkeyRequestOptions, fitting(await requestOptions({ ...world, party }, challenged))));
      }),
    )
    .post(
      '/reauthenticate/passkey',
      guard.may(
        'useOwnAccount',
        checked(body(passkeyAssertion), async (c, session) => {
          if (party === undefined) return answerProblem(c, noPasskeysHere);
          const given = { response: c.req.valid('json'), security: securityOf(c) };
          const issued = await confirmWithPasskey({ ...world, party }, session, given);
          if (issued === undefined) return answerProblem(c, { status: 403, ...wrongPasskey });
          cookies.session.write(c, issued.token);
          return c.json(z.encode(passkeyAccepted, { success: true }));
        }),
      ),
    );
}

const codeRefusals = {
  wrong: { status: 401, code: 'WrongCode', message: wrongCode },
  'not-pending': {
    status: 401,
    code: 'SignInExpired',
    message: 'This took too long. Please enter your password again.',
  },
} as const satisfies Record<string, Problem>;

const wrongPasskey = { code: 'WrongPasskey', message: 'This passkey was not accepted. Please try again.' } as const;

type Options = Awaited<ReturnType<typeof requestOptions>>;

function fitting({ challenge, rpId = '', timeout = 0 }: Options): z.output<typeof passkeyRequestOptions> {
  return { challenge, rpId, timeout, userVerification: 'required' };
}
