import type { RefundRequest } from '@kilim/bff/contract/refund-request';
import { refundOutcome } from '@kilim/bff/contract/refunds';
import * as z from 'zod/mini';
import type { ApiFailure } from '../../../shared/api-client.ts';
import { call } from '../../../shared/call.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from '../../shared/api/admin-request.ts';
import { answerLimitMilliseconds, type RefundOutcome } from './refund-machine.ts';
import { refundTexts } from './texts.ts';

/**
 * The same key asks for the state of the same refund. Without an answer that this page understands, the refund may have
 * been made.
 */
export async function sendRefund(body: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
  const answer = await adminRequest({
    ...call('POST /api/admin/refund', { body, answer: z.unknown() }),
    // Only what this page needs: the rest of an answer must not make the outcome unsure.
    schema: refundOutcome,
    signal,
    // The machine's limit is shorter.
    timeoutMilliseconds: answerLimitMilliseconds * 2,
  });
  return answer.ok ? outcomeOf(answer.value.body) : refusalOf(answer.rejection);
}

export function outcomeOf({ status, failure }: z.output<typeof refundOutcome>): RefundOutcome {
  switch (status.toLowerCase()) {
    case 'completed':
      return { type: 'refund.completed' };
    case 'failed': {
      const message = failure === null ? refundTexts.failedText : `${failure.message} ${failure.advice}`.trim();
      return { type: 'refund.failed', message };
    }
    default:
      return { type: 'refund.pending' };
  }
}

/** Only a refusal by this server is definite. */
export function refusalOf(failure: ApiFailure): RefundOutcome {
  if (isSignedOut(failure)) return { type: 'session.ended' };
  if (needsPassword(failure)) return { type: 'password.needed' };
  if (failure.kind === 'no-answer' || !isDefinite(failure)) return { type: 'refund.unsure' };
  return { type: 'refund.refused', message: messageOf(failure, refundTexts.failedText) };
}

/** This server refused. An error page of a proxy, a timeout or a crash tell nothing about the refund. */
function isDefinite({ status, code }: Extract<ApiFailure, { kind: 'refused' }>): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && code !== `Http${status}`;
}
