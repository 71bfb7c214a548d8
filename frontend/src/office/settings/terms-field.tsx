import { Input } from 'antd';
import { useDeferredValue } from 'react';
import { BusinessTerms } from '../../checkout/business-terms.tsx';
import { Field } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import { termsPath } from './settings-fields.ts';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

export function TermsField({ form }: { readonly form: SettingsFormState }) {
  const { draft, problems, edit } = form;
  const terms = draft.texts[termsPath] ?? '';
  const shown = useDeferredValue(terms);
  return (
    <div className={styles.halves}>
      <Field label={settingsTexts.terms} error={problems[termsPath]}>
        {(control) => (
          <Input.TextArea
            {...control}
            rows={10}
            value={terms}
            onChange={({ target }) =>
              edit({ ...draft, texts: { ...draft.texts, [termsPath]: target.value } }, termsPath)
            }
          />
        )}
      </Field>
      <section className={styles.preview} aria-label={settingsTexts.termsPreview}>
        <p className={styles.previewTitle}>{settingsTexts.termsPreview}</p>
        {shown.trim() === '' ? <p>{settingsTexts.termsEmpty}</p> : <BusinessTerms markup={shown} />}
      </section>
    </div>
  );
}
