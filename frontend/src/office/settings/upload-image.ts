import { keptImage } from '@kilim/bff/contract/images';
import { problem } from '@kilim/bff/contract/problem';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { addressOf } from '../../shared/call.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { sessionEnded } from '../shared/session/session-store.ts';
import { settingsTexts } from './texts.ts';

export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'];
const mostImageBytes = 5 * 1024 * 1024;

/** Undefined when the file may be sent. The server checks its content. */
export function problemOfFile({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!imageTypes.includes(type)) return settingsTexts.wrongType;
  return size > mostImageBytes ? settingsTexts.tooLarge : undefined;
}

type Upload = {
  readonly file: File;
  /** In whole percent of the file. */
  readonly onProgress: (percent: number) => void;
};

/**
 * `XMLHttpRequest`, because `fetch` cannot tell the progress of an upload.
 * @returns its address, or the message to show.
 */
export function uploadImage({ file, onProgress }: Upload): Promise<Result<string, string>> {
  return new Promise((resolve) => {
    const call = new XMLHttpRequest();
    const fail = () => resolve(rejected(settingsTexts.uploadFailed));
    call.open('POST', addressOf('POST /api/admin/images'));
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
  const body = parseJson(text);
  const image = keptImage.safeParse(body);
  if (status < 300 && image.success) return ok(image.data.secure_url);
  const refusal = problem.safeParse(body);
  return rejected(refusal.success && refusal.data.message !== '' ? refusal.data.message : settingsTexts.uploadFailed);
}
