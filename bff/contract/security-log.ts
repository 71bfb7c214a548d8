import * as z from 'zod/mini';

const person = z.object({ username: z.string(), displayName: z.string() });

export const securityLog = z.array(
  z.object({
    id: z.number(),
    at: z.string(),
    /** One of `securityKinds`, or one of a later release. */
    kind: z.string(),
    /** Null when the name that was typed has no account. */
    person: z.nullable(person),
    /** Null, or who acted on another person's account; `operator` for a command on the server. */
    actor: z.nullable(person),
    /** The prefix of the address: `192.0.2.0/24`. */
    network: z.nullable(z.string()),
    /** `Firefox on Windows` */
    browser: z.nullable(z.string()),
    sentence: z.string(),
  }),
);
export type SecurityLogEntry = z.output<typeof securityLog>[number];
