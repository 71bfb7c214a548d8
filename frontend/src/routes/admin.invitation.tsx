import { createFileRoute } from '@tanstack/react-router';
import { InvitationPage } from '../admin/people/invitation-page.tsx';

export const Route = createFileRoute('/admin/invitation')({ component: InvitationPage });
