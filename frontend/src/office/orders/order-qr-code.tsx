import { QrCode } from '../shared/ui/qr-code.tsx';
import { workOrderTexts } from './texts.ts';

type OrderQrCodeProps = { readonly orderId: string; readonly className: string | undefined };

/** Opens the order's page from paper. */
export function OrderQrCode({ orderId, className }: OrderQrCodeProps) {
  const { href } = new URL(`/admin/orders/${orderId}`, globalThis.location.origin);
  return <QrCode text={href} label={workOrderTexts.qrCode} className={className} />;
}
