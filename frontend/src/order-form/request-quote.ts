import type { Result } from '@kilim/domain/result';
import { type ApiFailure, request } from '../shared/api-client.ts';
import { type QuoteAnswer, quoteSchema, type RugRequest } from '../shared/wire.ts';
import type { OrderDraft } from './draft.ts';
import { countOf } from './size-input.ts';

export type QuoteInput = Pick<OrderDraft, 'rugs' | 'deliveryOption' | 'contact'>;

/** Asks the server for the authoritative quote; `POST /api/quote` stores and charges nothing. */
export async function requestQuote(input: QuoteInput, signal: AbortSignal): Promise<Result<QuoteAnswer, ApiFailure>> {
  const answer = await request({
    path: '/api/quote',
    schema: quoteSchema,
    signal,
    body: {
      rugs: input.rugs.map(rugRequestOf),
      deliveryOption: input.deliveryOption,
      customerInfo: input.contact,
    },
  });
  return answer.ok ? { ok: true, value: answer.value.body } : answer;
}

function rugRequestOf({ typed, rug }: OrderDraft['rugs'][number]): RugRequest {
  return {
    widthFeet: countOf(typed.widthFeet),
    widthInches: countOf(typed.widthInches),
    lengthFeet: countOf(typed.lengthFeet),
    lengthInches: countOf(typed.lengthInches),
    serviceTier: rug.tier,
    stainProtection: rug.stainProtection,
    mothProtection: rug.greenPad,
    repairInspection: rug.repairInspection,
  };
}
