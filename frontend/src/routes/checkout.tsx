import { createFileRoute } from '@tanstack/react-router';
import { CheckoutLoading } from '../checkout/checkout-loading.tsx';
import { CheckoutPage } from '../checkout/checkout-page.tsx';

export const Route = createFileRoute('/checkout')({ component: CheckoutPage, pendingComponent: CheckoutLoading });
