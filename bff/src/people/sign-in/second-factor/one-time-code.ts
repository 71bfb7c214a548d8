import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// Time-based one-time codes (RFC 6238) as every authenticator app knows them: SHA-1, six digits, steps of 30 seconds.
// SHA-1 is safe here: HMAC needs no hash without collisions.

const stepSeconds = 30;
const digits = 6;
/** RFC 4226 recommends 160 bits. */
const secretBytes = 20;
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newOneTimeSecret(): Uint8Array {
  return randomBytes(secretBytes);
}

export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

/** @param length of the code in digits */
export function codeOfStep(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const truncated = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(truncated % 10 ** length).padStart(length, '0');
}

/** One step early or late is right: clocks differ, and people type slowly. */
export function matchingStep(secret: Uint8Array, code: string, at: Date): number | undefined {
  const now = stepAt(at);
  return [now, now - 1, now + 1].find((step) => isSame(codeOfStep(secret, step), code));
}

export function isOneTimeCode(text: string): boolean {
  return new RegExp(`^\\d{${digits}}$`).test(text);
}

export function base32Of(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let heldBits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    heldBits += 8;
    while (heldBits >= 5) {
      heldBits -= 5;
      text += base32Alphabet[(held >> heldBits) & 31];
    }
    held &= (1 << heldBits) - 1;
  }
  return heldBits === 0 ? text : text + base32Alphabet[(held << (5 - heldBits)) & 31];
}

/** For a QR code. */
export function oneTimeCodeAddress(secret: Uint8Array, issuer: string, username: string): string {
  const parameters = new URLSearchParams({ secret: base32Of(secret), issuer });
  const label = `${encodeURIComponent(issuer.replaceAll(':', ' '))}:${encodeURIComponent(username)}`;
  // Some apps show a plus sign for a blank.
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
