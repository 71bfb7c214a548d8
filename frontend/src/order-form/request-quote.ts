import type { RugRequest } from '@kilim/bff/contract/order-request';
import { type QuotedOrder, quote } from '@kilim/bff/contract/quote';
import { choicesToWire } from '@kilim/bff/contract/rug';
import type { Result } from '@kilim/domain/result';
import { type ApiFailure, request } from '../shared/api-client.ts';
import { call } from '../shared/call.ts';
import type { OrderDraft } from './draft.ts';
import { countOf } from './size-input.ts';

export type QuoteInput = Pick<OrderDraft, 'rugs' | 'deliveryOption' | 'contact'>;

/** `POST /api/quote` stores and charges nothing. */
export async function requestQuote(input: QuoteInput, signal: AbortSignal): Promise<Result<QuotedOrder, ApiFailure>> {
  const answer = await request({
    ...call('POST /api/quote', {
      body: {
        rugs: input.rugs.map(rugRequestOf),
        deliveryOption: input.deliveryOption,
        customerInfo: input.contact,
      },
      answer: quote,
    }),
    signal,
  });
  return answer.ok ? { ok: true, value: answer.value.body } : answer;
}

function rugRequestOf({ typed, rug }: OrderDraft['rugs'][number]): RugRequest {
  return {
    widthFeet: countOf(typed.widthFeet),
    widthInches: countOf(typed.widthInches),
    lengthFeet: countOf(typed.lengthFeet),
    lengthInches: countOf(typed.lengthInches),
    ...choicesToWire(rug),
  };
}
