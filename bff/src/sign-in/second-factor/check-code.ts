import type { Sql } from '../../database/database.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { Logger } from '../../server/logger.ts';
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

export type TypedCode = Typing & { readonly code: string; readonly requestId: string };

/** Checks a one-time code or a recovery code. A right one is used up. */
export async function checkCode(world: CodeWorld, typed: TypedCode): Promise<CheckedCode> {
  const { sql, log, throttle } = world;
  const { username, requestId } = typed;
  const seconds = await inTime(throttle.code(typed));
  if (seconds > 0) {
    log.warn({ requestId, seconds }, 'a code of a second factor was throttled');
    return { kind: 'wait', seconds };
  }
  const code = typed.code.replaceAll(/\s/g, '');
  const isRight = isOneTimeCode(code)
    ? await spendOneTimeCode(world, username, code)
    : await inTime(spendRecoveryCode(sql, username, code));
  if (!isRight) {
    log.warn({ requestId }, 'a code of a second factor was wrong');
    return { kind: 'wrong' };
  }
  await inTime(throttle.codeSucceeded(typed));
  if (!isOneTimeCode(code)) log.warn({ requestId }, 'a recovery code was used');
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
