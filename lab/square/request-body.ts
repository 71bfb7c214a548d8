import { z } from 'zod';
import { type Answer, invalid } from './wire.ts';

const money = z.object({ amount: z.int().min(1), currency: z.string().length(3) });
const key = z.string().min(1).max(45);

/** Square's documented limits. Unknown fields are ignored, as Square does. */
export const createPaymentBody = z.object({
  source_id: z.string().min(1),
  idempotency_key: key,
  amount_money: money,
  autocomplete: z.boolean().default(true),
  delay_duration: z.iso.duration().default('P7D'),
  delay_action: z.enum(['CANCEL', 'COMPLETE']).default('CANCEL'),
  location_id: z.string().optional(),
  reference_id: z.string().max(40).optional(),
  note: z.string().max(500).optional(),
  buyer_email_address: z.email().max(255).optional(),
  statement_description_identifier: z.string().max(20).optional(),
  verification_token: z.string().optional(),
});

export const cancelByKeyBody = z.object({ idempotency_key: key });

export const changePaymentBody = z.object({ version_token: z.string().optional() });

export const createRefundBody = z.object({
  idempotency_key: key,
  payment_id: z.string().min(1),
  amount_money: money,
  reason: z.string().max(192).optional(),
  location_id: z.undefined({ error: 'location_id is for refunds without a payment.' }).optional(),
  payment_version_token: z.string().optional(),
});

export type Parsed<Body> = { readonly body: Body } | { readonly refusal: Answer };

export function parseBody<Schema extends z.ZodType>(schema: Schema, raw: unknown): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { body: parsed.data };
  const [issue] = parsed.error.issues;
  if (issue === undefined) return { refusal: invalid('BAD_REQUEST', 'Bad request') };
  const field = issue.path.join('.');
  const code = codeOf(issue, issue.path.reduce<unknown>(valueAt, raw));
  return { refusal: invalid(code, `Field \`${field}\`: ${issue.message}`, field) };
}

function codeOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return 'MISSING_REQUIRED_PARAMETER';
  const isText = typeof value === 'string';
  if (issue.code === 'too_big') return isText ? 'VALUE_TOO_LONG' : 'VALUE_TOO_HIGH';
  if (issue.code === 'too_small') return isText ? 'VALUE_TOO_SHORT' : 'VALUE_TOO_LOW';
  if (issue.code === 'invalid_type') return expected[issue.expected] ?? 'INVALID_VALUE';
  return 'INVALID_VALUE';
}

const expected: Readonly<Record<string, string>> = {
  int: 'EXPECTED_INTEGER',
  number: 'EXPECTED_INTEGER',
  string: 'EXPECTED_STRING',
  boolean: 'EXPECTED_BOOLEAN',
  object: 'EXPECTED_OBJECT',
};

function valueAt(value: unknown, key: PropertyKey): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}
