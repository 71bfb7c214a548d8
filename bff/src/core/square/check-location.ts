import type { Diagnosis } from '../runtime/diagnosis.ts';
import type { CardLocation, LocationOutcome } from './card-processor.ts';

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
    case 'not-permitted':
      return [
        {
          level: 'warning',
          variable: 'SQUARE_ACCESS_TOKEN',
          problem: 'the token may not read locations, so the location is not checked.',
          remedy: 'Give it the permission MERCHANT_PROFILE_READ.',
        },
      ];
    case 'unknown':
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
