import encodeQr from 'qr';
import styles from './second-factor.module.css';
import { factorTexts } from './texts.ts';

/** Around the code, in modules, as the standard wants it. */
const border = 4;

/** A QR code, drawn without a network. Dark on white in every colour scheme, because cameras expect it. */
export function QrCode({ text }: { readonly text: string }) {
  const rows = encodeQr(text, 'raw', { border });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={factorTexts.qrCode}>
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
