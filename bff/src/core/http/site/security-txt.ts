import type { OpenName, Serve } from '../serve.ts';

export const securityTxtPath = '/.well-known/security.txt';

/** RFC 9116 recommends less than a year. */
const validDays = 180;

export type SecurityTxtOptions = {
  /** Absent: there is no such file. */
  readonly contact: string | undefined;
  readonly publicUrl: string;
  readonly now: () => Date;
};

/** Tells people who found a weakness where to report it (RFC 9116). */
export function serveSecurityTxt(serve: Serve<OpenName>, { contact, publicUrl, now }: SecurityTxtOptions): void {
  serve(`GET ${securityTxtPath}`, (c) => {
    if (contact === undefined) return c.text('Not found', 404);
    const expires = new Date(now());
    expires.setUTCHours(0, 0, 0, 0);
    expires.setUTCDate(expires.getUTCDate() + validDays);
    const fields = [
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
      'Preferred-Languages: en',
      `Canonical: ${new URL(securityTxtPath, publicUrl).href}`,
    ];
    return c.text(`${fields.join('\n')}\n`);
  });
}
