import type { PayoutState } from '@kilim/bff/contract/payouts';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';
import { payoutsTexts } from './texts.ts';

const tones = { sent: 'pending', paid: 'completed', failed: 'failed' } satisfies Record<PayoutState, BadgeTone>;

export function PayoutStateBadge({ state }: { readonly state: PayoutState }) {
  return <Badge tone={tones[state]}>{payoutsTexts.states[state]}</Badge>;
}
