import { createFileRoute } from '@tanstack/react-router';
import { OrderPage } from '../admin/orders/order-page.tsx';

export const Route = createFileRoute('/admin/orders/$orderId')({ component: OrderPage });
