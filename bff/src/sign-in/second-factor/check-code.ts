import type { FactorStep } from '@kilim/domain/admin/security-log';
import type { Sql } from '../../database/database.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { Logger } from '../../server/logger.ts';
import type { SecurityNotes } from '../security-log.ts';
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

export type TypedCode = Typing & {
  readonly code: string;
  readonly step: FactorStep;
  readonly security: SecurityNotes;
};

/** Checks a one-time code or a recovery code. A right one is used up. */
export async function checkCode(world: CodeWorld, typed: TypedCode): Promise<CheckedCode> {
  const { sql, throttle } = world;
  const { username, step, security } = typed;
  const failed = { kind: 'second-factor-failed', username, factor: 'one-time-code', step } as const;
  const seconds = await inTime(throttle.code(typed));
  if (seconds > 0) {
    await security.note({ ...failed, throttled: true });
    return { kind: 'wait', seconds };
  }
  const code = typed.code.replaceAll(/\s/g, '');
  const isRight = isOneTimeCode(code)
    ? await spendOneTimeCode(world, username, code)
    : await inTime(spendRecoveryCode(sql, username, code));
  if (!isRight) {
    await security.note({ ...failed, throttled: false });
    return { kind: 'wrong' };
  }
  await inTime(throttle.codeSucceeded(typed));
  if (!isOneTimeCode(code)) await security.note({ kind: 'recovery-code-used', username });
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
  const [row] = await inTime(sql<{ used: boolean }[]>`select admin.use_one_time_code(${username}, ${step}) as used`);
  return row?.used === true;
}
