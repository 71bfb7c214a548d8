import { createFileRoute } from '@tanstack/react-router';
import { UnknownPage } from '../admin/layout/unknown-page.tsx';

export const Route = createFileRoute('/admin/$')({ component: UnknownPage });
