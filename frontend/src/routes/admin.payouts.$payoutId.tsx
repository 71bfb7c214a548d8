import { createFileRoute } from '@tanstack/react-router';
import { PayoutPage } from '../admin/payouts/payout-page.tsx';

export const Route = createFileRoute('/admin/payouts/$payoutId')({ component: PayoutPage });
