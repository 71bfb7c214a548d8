import { createFileRoute } from '@tanstack/react-router';
import { CheckoutLoading } from '../checkout/checkout-loading.tsx';
import { CheckoutPlace } from '../embed/checkout-place.tsx';

export const Route = createFileRoute('/checkout')({ component: CheckoutPlace, pendingComponent: CheckoutLoading });
