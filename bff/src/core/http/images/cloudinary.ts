import { z } from 'zod';
import { createOutboundFetch } from '../../runtime/outbound-fetch.ts';
import { type ImageHost, ImageHostAway } from './image-host.ts';

export type CloudinaryOptions = {
  readonly cloudName: string;
  /** An unsigned preset: uploads need no secret. */
  readonly uploadPreset: string;
  /** Another server with Cloudinary's API, for tests. */
  readonly baseUrl?: string;
};

/** Any other address in its answer is rejected. */
const uploaded = z.object({ secure_url: z.url({ protocol: /^https$/, hostname: /^res(-\d+)?\.cloudinary\.com$/ }) });
const timeoutSeconds = 15;

export function imagesAtCloudinary({
  cloudName,
  uploadPreset,
  baseUrl = 'https://api.cloudinary.com',
}: CloudinaryOptions): ImageHost {
  const outbound = createOutboundFetch({ origins: [new URL(baseUrl).origin], timeoutSeconds });
  const url = `${baseUrl}/v1_1/${encodeURIComponent(cloudName)}/image/upload`;
  return {
    keep: async ({ bytes, hash }) => {
      const form = new FormData();
      form.set('file', new Blob([bytes], { type: 'image/webp' }), `${hash}.webp`);
      form.set('upload_preset', uploadPreset);
      // The hash as the id makes repeated uploads idempotent.
      form.set('public_id', hash);
      const answer = await outbound(url, { method: 'POST', body: form }).catch((cause: unknown) => {
        throw new ImageHostAway('Cloudinary could not be reached', { cause });
      });
      const parsed = uploaded.safeParse(await answer.json().catch(() => undefined));
      if (!answer.ok || !parsed.success) throw new ImageHostAway(`Cloudinary answered ${answer.status}`);
      return parsed.data.secure_url;
    },
  };
}
