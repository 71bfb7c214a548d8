import * as z from 'zod/mini';

const person = z.object({ username: z.string(), displayName: z.string() });

/** `GET /api/admin/security-log`, newest first. */
export const securityLog = z.array(
  z.object({
    id: z.number(),
    at: z.string(),
    /** One of `securityKinds`, or one of a later release. */
    kind: z.string(),
    /** The account that the entry is about; null when the name that was typed has no account. */
    person: z.nullable(person),
    /** Who acted on the account of another person; `operator` for a command on the server. */
    actor: z.nullable(person),
    /** The prefix of the address: `192.0.2.0/24`. */
    network: z.nullable(z.string()),
    /** `Firefox on Windows` */
    browser: z.nullable(z.string()),
    /** What happened, without the person: `Signed in with a passkey` */
    sentence: z.string(),
  }),
);
export type SecurityLogEntry = z.output<typeof securityLog>[number];
