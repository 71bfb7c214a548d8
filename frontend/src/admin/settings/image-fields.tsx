import { fieldName } from '@kilim/domain/settings/describe-change';
import { Button } from 'antd';
import { type ChangeEvent, useState } from 'react';
import cards from '../ui/card.module.css';
import { Field } from '../ui/field.tsx';
import styles from './settings.module.css';
import { type ImageName, imageNames } from './settings-draft.ts';
import { settingsTexts } from './texts.ts';
import { imageTypes, problemOfFile, uploadImage } from './upload-image.ts';
import type { SettingsFormState } from './use-settings-form.ts';

export function ImageFields({ form }: { readonly form: SettingsFormState }) {
  return (
    <div className={styles.images}>
      {imageNames.map((name) => (
        <ImageField
          key={name}
          name={name}
          address={form.draft.images[name] ?? ''}
          problem={form.problems[`addOnImages.${name}`]}
          onAddress={(address) => form.setImage(name, address)}
        />
      ))}
    </div>
  );
}

type ImageFieldProps = {
  readonly name: ImageName;
  readonly address: string;
  readonly problem: string | undefined;
  readonly onAddress: (address: string) => void;
};

type Upload =
  | { readonly kind: 'none' | 'done' }
  | { readonly kind: 'running'; readonly percent: number }
  | { readonly kind: 'failed'; readonly message: string };

function ImageField({ name, address, problem, onAddress }: ImageFieldProps) {
  const label = fieldName(`addOnImages.${name}`);
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
      <Field label={label} error={upload.kind === 'failed' ? upload.message : problem}>
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
