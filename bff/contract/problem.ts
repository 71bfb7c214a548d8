import * as z from 'zod/mini';

/** Every error. `message` is fit to show; `fields` names each wrong field by its path (`rugs.0.widthFeet`). */
export const problem = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.exactOptional(z.record(z.string(), z.string())),
});
export type ProblemAnswer = Readonly<z.infer<typeof problem>>;
