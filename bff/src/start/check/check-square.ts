import { randomUUID } from 'node:crypto';
import type { IdempotencyKey } from '@kilim/domain/order/ids';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';
import type { CardLocation, CardProcessor, LocationOutcome, UnknownOutcome } from '../../core/square/card-processor.ts';
import { type TokenRight, tokenRights } from '../../core/square/token-rights.ts';

/** Changes nothing at Square: no payment has the key that is cancelled. */
export async function checkSquare(card: CardProcessor, now: Date): Promise<readonly Diagnosis[]> {
  const location = await card.getLocation();
  if (location.kind === 'unknown' && location.isMissingRight !== true) return checkLocation(location);
  const span = { from: new Date(now.getTime() - 60_000).toISOString(), to: now.toISOString() };
  const tries: readonly (readonly [TokenRight, () => Promise<{ readonly kind: string } | UnknownOutcome>])[] = [
    ['PAYMENTS_WRITE', () => card.cancelByIdempotencyKey(randomUUID() as IdempotencyKey)],
    ['PAYMENTS_READ', () => card.listPayments(span)],
    ['PAYMENTS_READ', () => card.listRefunds(span)],
    ['DISPUTES_READ', () => card.listDisputes()],
    ['PAYOUTS_READ', () => card.listPayouts(span)],
  ];
  const found = new Map<string, Diagnosis>();
  for (const [right, call] of tries) {
    const outcome = await call();
    if (!('detail' in outcome)) continue;
    const diagnosis = outcome.isMissingRight === true ? missingRight(right) : noAnswer(outcome.detail);
    found.set(diagnosis.problem, diagnosis);
  }
  return [...checkLocation(location), ...found.values()];
}

/** Without these no order is paid to its end. */
const neededToSell: readonly TokenRight[] = ['PAYMENTS_WRITE', 'PAYMENTS_READ'];

function missingRight(right: TokenRight): Diagnosis {
  return {
    level: neededToSell.includes(right) ? 'error' : 'warning',
    variable: 'SQUARE_ACCESS_TOKEN',
    problem: `the token lacks the right ${right}, so ${tokenRights[right]}.`,
    remedy: "Give it this right in Square's developer console.",
  };
}

export function checkLocation(outcome: LocationOutcome): readonly Diagnosis[] {
  switch (outcome.kind) {
    case 'found':
      return checkFound(outcome.location);
    case 'not-found':
      return [
        {
          level: 'error',
          variable: 'SQUARE_LOCATION_ID',
          problem: 'the account of SQUARE_ACCESS_TOKEN has no such location, so no card can be charged.',
          remedy: "Copy the location's id from Square's developer console, from the environment of SQUARE_ENVIRONMENT.",
        },
      ];
    case 'unknown':
      if (outcome.isMissingRight === true) return [missingRight('MERCHANT_PROFILE_READ')];
      if (outcome.refusedCredentials !== undefined) return [refusedToken(outcome.refusedCredentials)];
      return [noAnswer(outcome.detail)];
  }
}

function checkFound({ isActive, currency, takesCards }: CardLocation): readonly Diagnosis[] {
  const problems: readonly (readonly [wrong: boolean, problem: string, remedy: string])[] = [
    [!isActive, 'the location is inactive.', "Activate it in Square's dashboard, or name another one."],
    [
      currency !== 'USD',
      `the location's currency is ${currency}, and Kilim charges USD.`,
      'Name a location in the United States.',
    ],
    [
      takesCards === false,
      'the location may not process cards yet.',
      "Finish the activation of the account in Square's dashboard.",
    ],
  ];
  return problems
    .filter(([wrong]) => wrong)
    .map(([, problem, remedy]) => ({ level: 'error', variable: 'SQUARE_LOCATION_ID', problem, remedy }));
}

function refusedToken(code: string): Diagnosis {
  return {
    level: 'error',
    variable: 'SQUARE_ACCESS_TOKEN',
    problem: `Square refuses the token (${code}), so no card can be charged and no refund can be made.`,
    remedy: "Copy the token from Square's developer console, from the environment of SQUARE_ENVIRONMENT.",
  };
}

function noAnswer(detail: string): Diagnosis {
  return {
    level: 'error',
    variable: 'SQUARE_ENVIRONMENT',
    problem: `Square gave no usable answer (${detail}).`,
    remedy: "Check SQUARE_BASE_URL if it is set, this machine's way to the internet, and Square's status page.",
  };
}
