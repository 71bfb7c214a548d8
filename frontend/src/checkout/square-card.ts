import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { type CardOptions, loadSquare, type SquareCard, type VerificationDetails } from './square-sdk.ts';

/** The fields of Square's card form, in the order in which they are filled in. */
export const cardFieldNames = ['cardNumber', 'expirationDate', 'cvv', 'postalCode'] as const;
export type CardFieldName = (typeof cardFieldNames)[number];

/**
 * Reading the card is Square's work; its answers are data. No card number ever reaches this
 * program.
 */
export type CardReading =
  | { readonly kind: 'token'; readonly token: string }
  /** No field is named when Square does not say which. */
  | { readonly kind: 'invalid'; readonly fields: readonly CardFieldName[] }
  /** The customer closed the bank's verification. */
  | { readonly kind: 'canceled' }
  /** The customer closed the wallet. */
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'failed' };

/** Whatever gives a token to pay with: the card form, or a wallet of the device. */
export type CardReader = {
  readonly read: (details: VerificationDetails) => Promise<CardReading>;
};

/** The card form on the screen. */
export type CardForm = CardReader & {
  readonly focus: (field: CardFieldName) => void;
  /** Enter in a card field means what the Pay button means. */
  readonly whenSubmitted: (listener: () => void) => void;
};

export type CardProblem =
  /** Neither a sandbox nor a production application id: the shop is set up wrong. */
  | { readonly code: 'ApplicationIdInvalid' }
  | { readonly code: 'ScriptUnavailable' }
  /** Square is there and will not show its form. */
  | { readonly code: 'FormUnavailable' };

export type CardMount = {
  /** Never settles once the mount was removed. */
  readonly form: Promise<Result<CardForm, CardProblem>>;
  readonly remove: () => void;
};

export type CardSetup = {
  readonly applicationId: string;
  readonly locationId: string;
  readonly scriptUrl: string;
  readonly options: CardOptions;
};

const applicationIdPattern = /^(sandbox-sq0idb-|sq0idp-)/;

/**
 * Puts Square's card form into `parent`. Removing it while it is still being made is safe at any
 * moment (React mounts twice in strict mode): each mount has a host element of its own, makes at
 * most one card, and destroys the card it made.
 */
export function mountCard(parent: HTMLElement, setup: CardSetup): CardMount {
  const host = document.createElement('div');
  parent.append(host);
  const mounted = { removed: false };
  const card = makeCard(host, setup, mounted);
  return {
    form: card.then((made) => {
      if (mounted.removed) return new Promise<never>(() => undefined);
      return made.ok ? ok(formOf(made.value)) : made;
    }),
    remove: () => {
      mounted.removed = true;
      void card.then(async (made) => {
        // Square answers a second destroy with an error; nobody waits for this one.
        if (made.ok) await made.value.destroy().catch(() => undefined);
        host.remove();
      });
    },
  };
}

async function makeCard(
  host: HTMLElement,
  setup: CardSetup,
  mounted: { readonly removed: boolean },
): Promise<Result<SquareCard, CardProblem>> {
  if (!applicationIdPattern.test(setup.applicationId)) return rejected({ code: 'ApplicationIdInvalid' });
  const square = await loadSquare(setup.scriptUrl);
  if (square === undefined) return rejected({ code: 'ScriptUnavailable' });
  if (mounted.removed) return rejected({ code: 'FormUnavailable' });
  try {
    const card = await square.payments(setup.applicationId, setup.locationId).card(setup.options);
    try {
      await card.attach(host);
      return ok(card);
    } catch {
      await card.destroy();
      return rejected({ code: 'FormUnavailable' });
    }
  } catch {
    return rejected({ code: 'FormUnavailable' });
  }
}

function formOf(card: SquareCard): CardForm {
  return {
    read: async (details) => {
      try {
        return parseReading(await card.tokenize(details));
      } catch {
        return { kind: 'failed' };
      }
    },
    focus: (field) => {
      // Square refuses to focus a field that it does not show; the message on the page stands
      // either way.
      void Promise.resolve(card.focus(field)).catch(() => undefined);
    },
    whenSubmitted: (listener) => {
      card.addEventListener('submit', listener);
    },
  };
}

const tokenResult = z.union([
  z.object({ status: z.literal('OK'), token: z.string().check(z.minLength(1)) }),
  z.object({ status: z.literal('Invalid'), errors: z.optional(z.array(z.object({ field: z.optional(z.string()) }))) }),
  z.object({ status: z.enum(['Abort', 'Cancel']) }),
]);

/**
 * What Square's `tokenize` answered. Anything unheard of is a failed reading: no token, so nothing
 * can have been charged.
 */
export function parseReading(answer: unknown): CardReading {
  const parsed = tokenResult.safeParse(answer);
  if (!parsed.success) return { kind: 'failed' };
  switch (parsed.data.status) {
    case 'OK':
      return { kind: 'token', token: parsed.data.token };
    case 'Invalid': {
      const named = new Set(parsed.data.errors?.map(({ field }) => field));
      return { kind: 'invalid', fields: cardFieldNames.filter((field) => named.has(field)) };
    }
    default:
      return { kind: 'canceled' };
  }
}
