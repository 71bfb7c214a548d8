import * as z from 'zod/mini';

/** `POST /api/admin/images`, with the image as the field `file` of a form. */
export const keptImage = z.object({ secure_url: z.string() });
