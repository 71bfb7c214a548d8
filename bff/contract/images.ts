import * as z from 'zod/mini';

export const keptImage = z.object({ secure_url: z.string() });
