import { createFileRoute } from '@tanstack/react-router';
import { CertificatePage } from '../admin/accounting/certificate-page.tsx';

export const Route = createFileRoute('/admin/accounting_/certificate/$closing')({ component: CertificatePage });
