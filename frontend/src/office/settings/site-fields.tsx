import type { DropOffSite } from '@kilim/domain/settings/settings';
import { Button } from 'antd';
import cards from '../shared/ui/card.module.css';
import { TextField } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import { sitesPath } from './settings-fields.ts';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

const siteParts = ['name', 'note', 'address', 'hours', 'link'] as const satisfies readonly (keyof DropOffSite)[];

export function SiteFields({ form }: { readonly form: SettingsFormState }) {
  const { draft, problems, edit } = form;
  const sites = draft.dropOffSites;
  const change = (dropOffSites: readonly DropOffSite[]) => edit({ ...draft, dropOffSites }, sitesPath);
  return (
    <div className={cards.stack}>
      {problems[sitesPath] !== undefined && <p role="alert">{problems[sitesPath]}</p>}
      {sites.map((site, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a site is identified by its place in the list.
        <fieldset key={place} className={styles.site} aria-label={settingsTexts.sitePart.name(place + 1)}>
          {siteParts.map((part) => (
            <TextField
              key={part}
              label={settingsTexts.sitePart[part](place + 1)}
              error={problems[`${sitesPath}.${place}.${part}`]}
              {...(part === 'link' ? { type: 'url', placeholder: 'https://' } : {})}
              value={site[part] ?? ''}
              onText={(text) => change(sites.with(place, { ...site, [part]: text }))}
            />
          ))}
          <Button
            aria-label={settingsTexts.removeSite(place + 1)}
            onClick={() => change(sites.filter((_, other) => other !== place))}
          >
            {settingsTexts.remove}
          </Button>
        </fieldset>
      ))}
      <div>
        <Button onClick={() => change([...sites, { name: '', note: '' }])}>{settingsTexts.addSite}</Button>
      </div>
    </div>
  );
}
