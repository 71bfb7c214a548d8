import { keptImage } from '@kilim/bff/contract/images';
import { problem } from '@kilim/bff/contract/problem';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { fieldName } from '@kilim/domain/settings/describe-change';
import { Button } from 'antd';
import { type ChangeEvent, useState } from 'react';
import { addressOf } from '../../shared/call.ts';
import { parseJson } from '../../shared/parse-json.ts';
import { sessionEnded } from '../shared/session/session-store.ts';
import cards from '../shared/ui/card.module.css';
import { Field } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import type { ImageName } from './settings-draft.ts';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

type ImageFieldProps = { readonly form: SettingsFormState; readonly name: ImageName };

type Upload =
  | { readonly kind: 'none' | 'done' }
  | { readonly kind: 'running'; readonly percent: number }
  | { readonly kind: 'failed'; readonly message: string };

export function ImageField({ form, name }: ImageFieldProps) {
  const path = `addOnImages.${name}`;
  const label = fieldName(path);
  const address = form.draft.images[name] ?? '';
  const onAddress = (changed: string) => form.setImage(name, changed);
  const [upload, setUpload] = useState<Upload>({ kind: 'none' });
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file === undefined) return;
    const wrong = problemOfFile(file);
    if (wrong !== undefined) return setUpload({ kind: 'failed', message: wrong });
    setUpload({ kind: 'running', percent: 0 });
    const answer = await uploadImage({ file, onProgress: (percent) => setUpload({ kind: 'running', percent }) });
    // The same file can be chosen again after a failure.
    target.value = '';
    if (!answer.ok) return setUpload({ kind: 'failed', message: answer.rejection });
    setUpload({ kind: 'done' });
    onAddress(answer.value);
  };
  return (
    <div className={styles.image}>
      <Field label={label} error={upload.kind === 'failed' ? upload.message : form.problems[path]}>
        {(control) => (
          <input
            {...control}
            type="file"
            className={styles.file}
            accept={imageTypes.join(',')}
            disabled={upload.kind === 'running'}
            onChange={(event) => void choose(event)}
          />
        )}
      </Field>
      <div role="status">
        {upload.kind === 'running' && (
          <>
            <progress max={100} value={upload.percent} aria-label={settingsTexts.progressOf(label)} />
            <p>{settingsTexts.uploading(upload.percent)}</p>
          </>
        )}
        {upload.kind === 'done' && <p>{settingsTexts.uploaded}</p>}
      </div>
      {address === '' ? (
        <p className={cards.note}>{settingsTexts.imageNone}</p>
      ) : (
        <>
          <img src={address} alt={settingsTexts.imageAlt(label)} className={styles.picture} />
          <Button
            onClick={() => {
              setUpload({ kind: 'none' });
              onAddress('');
            }}
          >
            {settingsTexts.removeImage(label)}
          </Button>
        </>
      )}
    </div>
  );
}

const imageTypes = ['image/jpeg', 'image/png', 'image/webp'];
const mostImageBytes = 5 * 1024 * 1024;

/** Undefined when the file may be sent. The server checks its content. */
function problemOfFile({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!imageTypes.includes(type)) return settingsTexts.wrongType;
  return size > mostImageBytes ? settingsTexts.tooLarge : undefined;
}

type UploadRequest = {
  readonly file: File;
  /** In whole percent of the file. */
  readonly onProgress: (percent: number) => void;
};

/**
 * `XMLHttpRequest`, because `fetch` cannot tell the progress of an upload.
 * @returns its address, or the message to show.
 */
function uploadImage({ file, onProgress }: UploadRequest): Promise<Result<string, string>> {
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
