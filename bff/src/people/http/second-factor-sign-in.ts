import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { passkeyRequestOptions } from '../../../contract/second-factor.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import type { Serve } from '../../core/http/serve.ts';
import { type Challenged, requestOptions } from '../sign-in/second-factor/passkeys.ts';
import { newToken, tokenHash } from '../sign-in/tokens.ts';
import { confirmWithPasskey, giveCode, givePasskey, type SigningIn, type SteppedIn } from '../use-case/second-step.ts';
import { noPasskeysHere, type SecondFactorOptions } from './second-factor.ts';
import { answerWait, wrongCode } from './session.ts';

export function serveSecondFactorSignIn(serve: Serve, options: SecondFactorOptions): void {
  const { world, cookies, clientOf, securityOf, unknownTokens } = options;
  const { party } = world;
  const signingIn = (c: Context<RequestEnv>): SigningIn => ({
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
  serve('POST /api/admin/login/code', async (c, { body, answer }) => {
    const stepped = await giveCode(world, signingIn(c), body.code);
    if (stepped.kind === 'wait') return answerWait(c, stepped.seconds);
    const tooMany = stepped.kind === 'not-pending' ? await unknownTokens(c) : undefined;
    if (stepped.kind !== 'signed-in') return tooMany ?? answerProblem(c, codeRefusals[stepped.kind]);
    enter(c, stepped);
    return answer(200, { token: stepped.issued.proof });
  });
  serve('POST /api/admin/login/passkey/options', async (c, { answer }) => {
    if (party === undefined) return answerProblem(c, noPasskeysHere);
    const known = cookies.pending.read(c);
    const token = known !== undefined && tokenHash(known) !== undefined ? known : newToken();
    if (token !== known) cookies.pending.write(c, token);
    const challenged: Challenged = { holder: { kind: 'browser', token }, purpose: 'sign-in' };
    return answer(200, fitting(await requestOptions({ ...world, party }, challenged)));
  });
  serve('POST /api/admin/login/passkey', async (c, { body, answer }) => {
    if (party === undefined) return answerProblem(c, noPasskeysHere);
    const stepped = await givePasskey({ ...world, party }, signingIn(c), body);
    if (stepped.kind !== 'signed-in') {
      return (await unknownTokens(c)) ?? answerProblem(c, { status: 401, ...wrongPasskey });
    }
    enter(c, stepped);
    return answer(200, { success: true });
  });
  serve('POST /api/admin/reauthenticate/passkey/options', async (c, { by: { id }, answer }) => {
    if (party === undefined) return answerProblem(c, noPasskeysHere);
    const challenged: Challenged = { holder: { kind: 'session', id }, purpose: 'confirm' };
    return answer(200, fitting(await requestOptions({ ...world, party }, challenged)));
  });
  serve('POST /api/admin/reauthenticate/passkey', async (c, { by, body, answer }) => {
    if (party === undefined) return answerProblem(c, noPasskeysHere);
    const issued = await confirmWithPasskey({ ...world, party }, by, { response: body, security: securityOf(c) });
    if (issued === undefined) return answerProblem(c, { status: 403, ...wrongPasskey });
    cookies.session.write(c, issued.token);
    return answer(200, { success: true });
  });
}

const codeRefusals = {
  wrong: { status: 401, code: 'WrongCode', message: wrongCode },
  'not-pending': {
    status: 401,
    code: 'SignInExpired',
    message: 'This took too long. Please enter your password again.',
  },
} as const satisfies Record<string, Problem>;

const wrongPasskey = {
  code: 'WrongPasskey',
  message: 'This passkey was not accepted. It may have been removed. You can use your password instead.',
} as const;

type Options = Awaited<ReturnType<typeof requestOptions>>;

function fitting({ challenge, rpId = '', timeout = 0 }: Options): z.output<typeof passkeyRequestOptions> {
  return { challenge, rpId, timeout, userVerification: 'required' };
}
