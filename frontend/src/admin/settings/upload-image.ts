import { ok, type Result, rejected } from '@kilim/domain/result';
import * as z from 'zod/mini';
import { problemSchema } from '../../shared/wire.ts';
import { sessionEnded } from '../session/session-store.ts';
import { settingsTexts } from './texts.ts';

export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'];
const mostImageBytes = 5 * 1024 * 1024;

const imageAnswer = z.object({ secure_url: z.string() });

/** What is wrong with a file before it is sent; undefined when it may be. The server looks inside. */
export function problemOfFile({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!imageTypes.includes(type)) return settingsTexts.wrongType;
  return size > mostImageBytes ? settingsTexts.tooLarge : undefined;
}

type Upload = {
  readonly file: File;
  /** In whole percent of the file. */
  readonly onProgress: (percent: number) => void;
};

/** Sends an image and answers its address, or what to show. The one call that does not use `fetch`, which cannot tell how far it is. */
export function uploadImage({ file, onProgress }: Upload): Promise<Result<string, string>> {
  return new Promise((resolve) => {
    const call = new XMLHttpRequest();
    const fail = () => resolve(rejected(settingsTexts.uploadFailed));
    call.open('POST', '/api/admin/images');
    call.timeout = 120_000;
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? Math.floor((loaded * 100) / total) : 0);
    call.onerror = fail;
    call.ontimeout = fail;
    call.onload = () => {
      if (call.status === 401) sessionEnded();
      resolve(understand(call.status, call.responseText));
    };
    const form = new FormData();
    form.set('file', file);
    form.set('upload_preset', 'kilim');
    call.send(form);
  });
}

function understand(status: number, text: string): Result<string, string> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return rejected(settingsTexts.uploadFailed);
  }
  const image = imageAnswer.safeParse(body);
  if (status < 300 && image.success) return ok(image.data.secure_url);
  const problem = problemSchema.safeParse(body);
  return rejected(problem.success && problem.data.message !== '' ? problem.data.message : settingsTexts.uploadFailed);
}
