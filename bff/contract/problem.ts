import * as z from 'zod/mini';

/** `z.record` would cost every page 400 bytes more. */
export const textsByName = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string'),
);

/** `message` is fit to show; `fields` names each wrong field by its path (`rugs.0.widthFeet`). */
export const problem = z.object({ code: z.string(), message: z.string(), fields: z.optional(textsByName) });
export type ProblemAnswer = Readonly<z.infer<typeof problem>>;
