import type { FactorStep } from '@kilim/domain/people/security-log';
import { isTrue, type Sql } from '../../../core/database/database.ts';
import { inTime, repeatWhileAway } from '../../../core/database/repeat-while-away.ts';
import type { SecurityNotes } from '../../../core/http/proven.ts';
import type { Logger } from '../../../core/runtime/logger.ts';
import { readAccess } from '../recorded-access.ts';
import { isOneTimeCode, matchingStep } from './one-time-code.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import type { Seal } from './seal.ts';
import type { SecondFactorThrottle, Typing } from './throttle.ts';

export type CodeWorld = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => Date;
  /** Absent: this server has no key for the secrets of one-time codes. */
  readonly seal: Seal | undefined;
  readonly throttle: SecondFactorThrottle;
};

export type CheckedCode =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

export type TypedCode = Omit<Typing, 'password'> & {
  readonly code: string;
  readonly step: FactorStep;
  readonly security: SecurityNotes;
};

/** Uses up a right code. */
export async function checkCode(world: CodeWorld, typed: TypedCode): Promise<CheckedCode> {
  const code = typed.code.replaceAll(/\s/g, '');
  const checked = isOneTimeCode(code)
    ? await checkOneTimeCode(world, typed, code)
    : await checkRecoveryCode(world, typed);
  if (checked.kind !== 'right') {
    const { username, step, security } = typed;
    const throttled = checked.kind === 'wait';
    await security.note({ kind: 'second-factor-failed', username, factor: 'one-time-code', step, throttled });
  }
  return checked;
}

async function checkOneTimeCode(world: CodeWorld, typed: TypedCode, code: string): Promise<CheckedCode> {
  const { sql, throttle } = world;
  const { username } = typed;
  const password = (await repeatWhileAway(() => readAccess(sql, username)))?.password ?? '';
  const seconds = await inTime(throttle.code({ ...typed, password }));
  if (seconds > 0) return { kind: 'wait', seconds };
  if (!(await spendOneTimeCode(world, username, code))) return { kind: 'wrong' };
  await inTime(throttle.codeSucceeded({ ...typed, password }));
  return { kind: 'right' };
}

/** A recovery code has too many random bits to be guessed. */
async function checkRecoveryCode({ sql }: CodeWorld, { username, code, security }: TypedCode): Promise<CheckedCode> {
  if (!(await inTime(spendRecoveryCode(sql, username, code)))) return { kind: 'wrong' };
  await security.note({ kind: 'recovery-code-used', username });
  return { kind: 'right' };
}

async function spendOneTimeCode({ sql, log, now, seal }: CodeWorld, username: string, code: string): Promise<boolean> {
  const [kept] = await repeatWhileAway(
    () => sql<{ secret: Uint8Array; is_confirmed: boolean }[]>`
      select secret, is_confirmed from admin.one_time_code_of(${username})`,
  );
  if (kept === undefined || !kept.is_confirmed) return false;
  const secret = seal?.open(kept.secret, username);
  if (secret === undefined) {
    log.error('the secret of a one-time code cannot be read: SECOND_FACTOR_KEY is missing or has changed');
    return false;
  }
  const step = matchingStep(secret, code, now());
  if (step === undefined) return false;
  return await inTime(isTrue(sql`select admin.use_one_time_code(${username}, ${step})`));
}
