import { builtInContactRetention, settingsLimits } from '@kilim/domain/settings/settings';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Alert, Button, Checkbox } from 'antd';
import { type FormEvent, useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { usePersonName } from '../shared/person-names.ts';
import { routes } from '../shared/routes.ts';
import { type AdminSettings, historyQuery, settingsQuery } from '../shared/settings/settings-calls.ts';
import { useSaveFields } from '../shared/settings/use-save-fields.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { Nothing } from '../shared/ui/nothing.tsx';
import styles from './settings.module.css';
import { SettingsForm } from './settings-form.tsx';
import { isFormPart } from './settings-parts.tsx';
import { retentionTexts, type SettingsPart, settingsParts, settingsTexts } from './texts.ts';

const firstPart = 'prices';

export function SettingsPage() {
  return <Settings part={firstPart} />;
}

export function SettingsPartPage() {
  const name = routes.settingsPart.useParams({ select: (params) => params.part });
  const part = settingsParts.find((each) => each === name);
  return part === undefined ? <UnknownPart /> : <Settings key={part} part={part} />;
}

function Settings({ part }: { readonly part: SettingsPart }) {
  usePageTitle(`${settingsTexts.parts[part]}, ${settingsTexts.title}`);
  const query = useQuery(settingsQuery);
  return (
    <div className={styles.columns}>
      <Index part={part} />
      <div className={cards.stack}>
        <Loaded query={query} loading={settingsTexts.loading} failed={settingsTexts.fetchFailed}>
          {(saved) => (saved === null ? <Nothing hint={settingsTexts.none} /> : <Part part={part} saved={saved} />)}
        </Loaded>
      </div>
    </div>
  );
}

function Part({ part, saved }: { readonly part: SettingsPart; readonly saved: AdminSettings }) {
  if (isFormPart(part)) return <SettingsForm part={part} saved={saved} />;
  if (part === 'contacts') return <RetentionCard key={saved.contactRetention.months} saved={saved} />;
  return <SettingsHistory />;
}

/** Beside each page; on a phone the first page has it, and the others a link to it. */
function Index({ part }: { readonly part: SettingsPart }) {
  return (
    <nav className={styles.index} aria-label={settingsTexts.index} data-first={part === firstPart || undefined}>
      <Link to="/admin/settings" className={styles.toIndex} activeOptions={{ exact: true }}>
        {settingsTexts.toIndex}
      </Link>
      <ul>
        <li>
          <Link to="/admin/settings" activeOptions={{ exact: true }}>
            {settingsTexts.parts[firstPart]}
          </Link>
        </li>
        {settingsParts
          .filter((each) => each !== firstPart)
          .map((each) => (
            <li key={each}>
              <Link to="/admin/settings/$part" params={{ part: each }}>
                {settingsTexts.parts[each]}
              </Link>
            </li>
          ))}
        <li>
          <Link to="/admin/people">{settingsTexts.people}</Link>
        </li>
        <li>
          <Link to="/admin/security">{settingsTexts.security}</Link>
        </li>
      </ul>
    </nav>
  );
}

function UnknownPart() {
  return (
    <Nothing hint={settingsTexts.unknown}>
      <Link to="/admin/settings">{settingsTexts.toIndex}</Link>
    </Nothing>
  );
}

function SettingsHistory() {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const query = useQuery(historyQuery);
  return (
    <Card title={settingsTexts.history}>
      <Loaded query={query} loading={settingsTexts.historyLoading} failed={settingsTexts.historyFailed}>
        {(history) => (
          <ol className={styles.history} aria-label={settingsTexts.history}>
            {history.map(({ version, at, by, changes }) => (
              <li key={version}>
                <p>
                  <strong>{settingsTexts.version(version)}</strong>, <time dateTime={at}>{timeText(at, timeZone)}</time>
                  , {nameOf(by)}
                </p>
                <ul>
                  {changes.map((change) => (
                    <li key={change}>{change}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {query.data?.length === 0 && <p>{settingsTexts.historyNone}</p>}
    </Card>
  );
}

const { shortestRetentionMonths, longestRetentionMonths } = settingsLimits;

function RetentionCard({ saved: { version, contactRetention } }: { readonly saved: AdminSettings }) {
  const { months } = contactRetention;
  const { busy, prompt, failure, save } = useSaveFields(retentionTexts);
  const [isOn, setOn] = useState(months !== null);
  const [typed, setTyped] = useState(String(months ?? builtInContactRetention.months));
  const wanted = isOn ? Number(typed.trim() === '' ? Number.NaN : typed) : null;
  const isValid =
    wanted === null ||
    (Number.isInteger(wanted) && wanted >= shortestRetentionMonths && wanted <= longestRetentionMonths);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) save({ contactRetention: { months: wanted } }, version);
  };
  return (
    <Card title={retentionTexts.heading} note={retentionTexts.note}>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {failure !== undefined && <Alert type="error" role="alert" showIcon title={failure.message} />}
        <Checkbox checked={isOn} disabled={busy} onChange={({ target }) => setOn(target.checked)}>
          {retentionTexts.erase}
        </Checkbox>
        {isOn && (
          <div className={styles.months}>
            <TextField
              label={retentionTexts.months}
              hint={retentionTexts.hint}
              error={isValid ? undefined : retentionTexts.range}
              inputMode="numeric"
              autoComplete="off"
              disabled={busy}
              value={typed}
              onText={setTyped}
            />
          </div>
        )}
        <div>
          <Button htmlType="submit" loading={busy} disabled={!isValid || wanted === months}>
            {retentionTexts.save}
          </Button>
        </div>
      </form>
      {prompt}
    </Card>
  );
}
