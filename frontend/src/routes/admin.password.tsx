import { createFileRoute } from '@tanstack/react-router';
import { PasswordPage } from '../admin/password/password-page.tsx';

export const Route = createFileRoute('/admin/password')({ component: PasswordPage });
