import { createFileRoute } from '@tanstack/react-router';
import { AdminPage } from '../admin/layout/admin-page.tsx';

export const Route = createFileRoute('/admin')({ component: AdminPage });
