import type { DropOffSite } from '@kilim/domain/settings/settings';
import { Button } from 'antd';
import cards from '../ui/card.module.css';
import { TextField } from '../ui/field.tsx';
import styles from './settings.module.css';
import { businessPaths } from './settings-draft.ts';
import { TextSettings } from './text-settings.tsx';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

const sitesPath = 'business.dropOffSites';

export function BusinessFields({ form }: { readonly form: SettingsFormState }) {
  const { draft, problems, edit } = form;
  const sites = draft.dropOffSites;
  const change = (dropOffSites: readonly DropOffSite[]) => edit({ ...draft, dropOffSites }, sitesPath);
  return (
    <div className={cards.stack}>
      <TextSettings form={form} paths={businessPaths} kind="text" />
      <fieldset className={cards.stack}>
        <legend className={styles.legend}>{settingsTexts.sites}</legend>
        {problems[sitesPath] !== undefined && <p role="alert">{problems[sitesPath]}</p>}
        {sites.map((site, index) => {
          const put = (changed: Partial<DropOffSite>) => change(sites.with(index, { ...site, ...changed }));
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a site is identified by its place in the list.
            <div key={index} className={styles.site}>
              <TextField
                label={settingsTexts.siteName(index + 1)}
                error={problems[`${sitesPath}.${index}.name`]}
                value={site.name}
                onText={(name) => put({ name })}
              />
              <TextField
                label={settingsTexts.siteNote(index + 1)}
                error={problems[`${sitesPath}.${index}.note`]}
                value={site.note}
                onText={(note) => put({ note })}
              />
              {(['address', 'hours'] as const).map((part) => (
                <TextField
                  key={part}
                  label={settingsTexts.sitePart[part](index + 1)}
                  error={problems[`${sitesPath}.${index}.${part}`]}
                  value={site[part] ?? ''}
                  onText={(text) => put({ [part]: text })}
                />
              ))}
              <Button
                aria-label={settingsTexts.removeSite(index + 1)}
                onClick={() => change(sites.filter((_, place) => place !== index))}
              >
                Remove
              </Button>
            </div>
          );
        })}
        <div>
          <Button onClick={() => change([...sites, { name: '', note: '' }])}>{settingsTexts.addSite}</Button>
        </div>
      </fieldset>
    </div>
  );
}
