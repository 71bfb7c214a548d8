import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { TooBusy } from '../../runtime/limit-concurrency.ts';
import type { Logger } from '../../runtime/logger.ts';
import { encodeImage, mostImageBytes } from '../images/encode-image.ts';
import { type ImageHost, ImageHostAway } from '../images/image-host.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';

export const uploadPath = '/api/admin/images';

const tooLarge: Problem = {
  status: 413,
  code: 'TooLarge',
  message: 'This image is larger than 5 MB. Please choose a smaller one.',
  fields: { file: 'At most 5 MB' },
};

export const limitUpload = bodyLimit({
  maxSize: mostImageBytes + 64 * 1024,
  onError: (c) => answerProblem(c, tooLarge),
});

export type AdminImagesOptions = { readonly host: ImageHost; readonly log: Logger };

export function serveImages(serve: Serve, { host, log }: AdminImagesOptions): void {
  serve('POST /api/admin/images', async (c, { answer }) => {
    const file = await uploadedFile(c);
    if (file === undefined) return answerProblem(c, refused('Please choose an image.'));
    try {
      const encoded = await encodeImage(new Uint8Array(await file.arrayBuffer()));
      if (!encoded.ok) {
        const { code, message } = encoded.rejection;
        return answerProblem(c, code === 'TooLarge' ? tooLarge : refused(message));
      }
      return answer(200, { secure_url: await host.keep(encoded.value) });
    } catch (error) {
      if (!(error instanceof ImageHostAway || error instanceof TooBusy)) throw error;
      log.error({ err: error, requestId: c.get('requestId') }, 'storing an image failed');
      return answerProblem(c, imageHostAway);
    }
  });
}

const imageHostAway: Problem = {
  status: 503,
  code: 'ImageHostAway',
  message: 'The image could not be stored just now. Please try again in a moment.',
};

function refused(message: string): Problem {
  return { status: 422, code: 'NotAnImage', message, fields: { file: message } };
}

/** The form's `upload_preset` is ignored: the operator configures the preset. */
async function uploadedFile(c: Context): Promise<File | undefined> {
  try {
    const { file } = await c.req.parseBody();
    return file instanceof File && file.size > 0 ? file : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
