import { longestRetentionMonths, shortestRetentionMonths } from '@kilim/domain/admin/contact-retention';
import * as z from 'zod/mini';

/** `GET` and `POST /api/admin/contact-retention`. */
export const contactRetention = z.object({
  version: z.number(),
  /** After the last event of the order; null: contacts are kept until a person erases them. */
  months: z.nullable(z.int()),
});
export type ContactRetentionAnswer = z.output<typeof contactRetention>;

const range = `Please enter whole months from ${shortestRetentionMonths} to ${longestRetentionMonths}`;

/** `POST /api/admin/contact-retention`. A save names the version that it started from. */
export const contactRetentionRequest = z.object({
  version: z.int().check(z.gte(0)),
  months: z.nullable(z.int(range).check(z.gte(shortestRetentionMonths, range), z.lte(longestRetentionMonths, range))),
});
export type ContactRetentionRequest = z.input<typeof contactRetentionRequest>;
