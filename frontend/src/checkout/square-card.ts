import type { CustomerInfo } from '@kilim/bff/contract/quote';
import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { type CardOptions, loadSquare, type SquareCard, type VerificationDetails } from './square-sdk.ts';

/** In their order on the screen. */
export const cardFieldNames = ['cardNumber', 'expirationDate', 'cvv', 'postalCode'] as const;
export type CardFieldName = (typeof cardFieldNames)[number];

/** Square's iframe reads the card, so no number ever reaches our code. */
export type CardReading =
  /** A wallet adds the contact that it was asked for. */
  | { readonly kind: 'token'; readonly token: string; readonly customerInfo?: CustomerInfo }
  /** The wallet's contact has these mistakes. No token is used. */
  | { readonly kind: 'contactIncomplete'; readonly mistakes: readonly string[] }
  /** Empty if Square names no field. */
  | { readonly kind: 'invalid'; readonly fields: readonly CardFieldName[] }
  /** Closed the bank's verification. */
  | { readonly kind: 'canceled' }
  /** Closed the wallet. */
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'failed' };

/** The card form or a wallet. */
export type CardReader = {
  readonly read: (details: VerificationDetails) => Promise<CardReading>;
};

export type CardForm = CardReader & {
  readonly focus: (field: CardFieldName) => void;
  /** Enter in a card field works like the Pay button. */
  readonly whenSubmitted: (listener: () => void) => void;
};

export type CardProblem =
  /** A configuration error: neither a sandbox nor a production id. */
  | { readonly code: 'ApplicationIdInvalid' }
  | { readonly code: 'ScriptUnavailable' }
  /** Square's script is loaded, but the form could not be created. */
  | { readonly code: 'FormUnavailable' };

export type CardMount = {
  /** Never settles after `remove`. */
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
 * `remove` is safe at any moment, even while the form is being created (React mounts twice in strict mode). Each mount
 * has its own host element, and creates and destroys at most one card.
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
        // Square rejects a second `destroy`.
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
      // `focus` rejects for a field that Square does not show.
      void Promise.resolve(card.focus(field)).catch(() => undefined);
    },
    whenSubmitted: (listener) => {
      card.addEventListener('submit', listener);
    },
  };
}

const tokenResult = z.union([
  z.object({ status: z.literal('OK'), token: z.string().check(z.refine((token) => token !== '')) }),
  z.object({ status: z.literal('Invalid'), errors: z.optional(z.array(z.object({ field: z.optional(z.string()) }))) }),
  z.object({ status: z.enum(['Abort', 'Cancel']) }),
]);

/** Of Square's `tokenize`. An unknown result counts as failed: without a token nothing can be charged. */
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
