import { cardWithOutcome, type TestCard } from './test-cards.ts';

export type CardToken = { readonly card: TestCard; readonly singleUse: boolean };

/** The sandbox's, for servers without a browser; not single-use. */
const fixedTokens: Readonly<Record<string, string>> = {
  'cnon:card-nonce-ok': 'ok',
  'cnon:card-nonce-declined': 'declined',
  'cnon:card-nonce-rejected-cvv': 'cvv',
  'cnon:card-nonce-rejected-postalcode': 'postal',
  'cnon:card-nonce-rejected-expiration': 'expiration',
};

const alreadyUsedToken = 'cnon:card-nonce-already-used';

const mintedToken = /^cnon:sim-([a-z]+(?:-[a-z]+)*)-([0-9a-f]{8,64})$/;

/** @returns undefined for a token that the local Square did not make, above all a real one. */
export function readToken(sourceId: string): CardToken | undefined {
  const outcome = fixedTokens[sourceId] ?? mintedToken.exec(sourceId)?.[1];
  const card = cardWithOutcome(sourceId === alreadyUsedToken ? 'ok' : (outcome ?? ''));
  if (card === undefined) return undefined;
  if (sourceId === alreadyUsedToken) return { card: { ...card, tokenError: 'CARD_TOKEN_USED' }, singleUse: false };
  return { card, singleUse: !(sourceId in fixedTokens) };
}
