import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../admin/overview/overview-page.tsx';

export const Route = createFileRoute('/admin/overview')({ component: OverviewPage });
