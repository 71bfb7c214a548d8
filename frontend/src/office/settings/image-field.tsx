import { fieldName } from '@kilim/domain/settings/describe-change';
import { Button } from 'antd';
import { type ChangeEvent, useState } from 'react';
import cards from '../shared/ui/card.module.css';
import { Field } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import type { ImageName } from './settings-draft.ts';
import { settingsTexts } from './texts.ts';
import { imageTypes, problemOfFile, uploadImage } from './upload-image.ts';
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
