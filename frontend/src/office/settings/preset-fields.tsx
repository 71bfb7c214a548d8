import { formatSize } from '@kilim/domain/rug';
import { useDeferredValue } from 'react';
import cards from '../shared/ui/card.module.css';
import styles from './settings.module.css';
import { linesIn, presetIn, presetsPath } from './settings-fields.ts';
import { TextSettings } from './text-settings.tsx';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

/** With the buttons as customers see them. */
export function PresetFields({ form }: { readonly form: SettingsFormState }) {
  const typed = useDeferredValue(form.draft.texts[presetsPath] ?? '');
  const presets = linesIn(typed).flatMap((line) => presetIn(line) ?? []);
  return (
    <div className={styles.halves}>
      <TextSettings form={form} paths={[presetsPath]} kind="lines" />
      <section className={styles.preview} aria-label={settingsTexts.presetsPreview}>
        <p className={styles.previewTitle}>{settingsTexts.presetsPreview}</p>
        {presets.length === 0 ? (
          <p className={cards.note}>{settingsTexts.noPresets}</p>
        ) : (
          <ul className={styles.presets}>
            {presets.map((preset, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same size while they are typed.
              <li key={place}>{formatSize(preset)}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
