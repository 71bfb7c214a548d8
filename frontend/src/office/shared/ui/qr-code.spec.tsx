import decodeQR from 'qr/decode.js';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

const address = 'https://office.example/admin/orders/0199d5a0-7c00-7000-8000-00000000000a';
/** Pixels of a module. */
const scale = 4;

test('a camera reads the drawn code', () => {
  const markup = renderToStaticMarkup(<QrCode text={address} label="Order" className={undefined} />);
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)?.[1]) * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let pixel = 0; pixel < scale * scale; pixel += 1) {
      const row = Number(y) * scale + Math.floor(pixel / scale);
      const column = Number(x) * scale + (pixel % scale);
      data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  expect(decodeQR({ width: size, height: size, data })).toBe(address);
});
