import type { ApiFailure } from '../../shared/api-client.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from '../api/admin-request.ts';
import { type AdminRefund, refundOutcomeSchema } from '../api/wire.ts';
import type { RefundRequest } from './refund-form.ts';
import { answerLimitMilliseconds, type RefundOutcome } from './refund-machine.ts';
import { refundTexts } from './texts.ts';

/**
 * Asks for the refund, or after it: the key decides which. Only an answer that this page understands counts; after anything else the
 * refund may have been made.
 */
export async function sendRefund(body: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
  const answer = await adminRequest({
    path: '/api/admin/refund',
    schema: refundOutcomeSchema,
    body,
    signal,
    // The machine's own limit comes first.
    timeoutMilliseconds: answerLimitMilliseconds * 2,
  });
  return answer.ok ? outcomeOf(answer.value.body) : refusalOf(answer.rejection);
}

export function outcomeOf({ status, failure }: Pick<AdminRefund, 'status' | 'failure'>): RefundOutcome {
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

/** What a refusal says about the refund: only our own server's no is a no. */
export function refusalOf(failure: ApiFailure): RefundOutcome {
  if (isSignedOut(failure)) return { type: 'session.ended' };
  if (needsPassword(failure)) return { type: 'password.needed' };
  if (failure.kind === 'no-answer' || !isDefinite(failure)) return { type: 'refund.unsure' };
  return { type: 'refund.refused', message: messageOf(failure, refundTexts.failedText) };
}

/** Our own server has understood and said no; a proxy's error page, a time-out or a crash say nothing about the refund. */
function isDefinite({ status, code }: Extract<ApiFailure, { kind: 'refused' }>): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && code !== `Http${status}`;
}
