import encodeQr from 'qr';

type QrCodeProps = { readonly text: string; readonly label: string; readonly className: string | undefined };

/** In modules, as the standard wants it. */
const qrBorder = 4;

/** Drawn without a network, dark on white in every colour scheme, because cameras expect it. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const rows = encodeQr(text, 'raw', { border: qrBorder });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={className} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
