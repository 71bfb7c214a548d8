import type { RefundLimitName } from '@kilim/domain/people/refund-limits';
import type { LimitReached } from '../../use-case/refund-rule.ts';
import type { SecurityOf } from '../proven.ts';

/** As the security log names them. */
const limitNames: Readonly<Record<RefundLimitName, string>> = {
  perRefund: 'of one refund',
  perPersonAndDay: 'of refunds of one person and day',
  perShopAndDay: 'of refunds of the shop and day',
};

type Rejection = LimitReached | { readonly code: Exclude<string, 'RefundLimitReached'> };

/** The security log shows who tried to give back more than the limits allow. */
export async function noteReachedLimit(
  security: ReturnType<SecurityOf>,
  username: string,
  rejection: Rejection,
): Promise<void> {
  if (!('limit' in rejection)) return;
  await security.note({ kind: 'limit-reached', username, limit: limitNames[rejection.limit] });
}
