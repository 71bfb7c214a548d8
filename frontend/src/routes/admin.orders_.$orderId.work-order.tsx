import { createFileRoute } from '@tanstack/react-router';
import { WorkOrderPage } from '../admin/orders/work-order-page.tsx';

export const Route = createFileRoute('/admin/orders_/$orderId/work-order')({ component: WorkOrderPage });
