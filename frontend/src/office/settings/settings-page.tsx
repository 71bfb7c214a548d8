import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { usePersonName } from '../shared/person-names.ts';
import { historyQuery, settingsQuery } from '../shared/settings/settings-calls.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { RetentionCard } from './retention-card.tsx';
import styles from './settings.module.css';
import { SettingsForm } from './settings-form.tsx';
import { limitsLinkTexts, settingsTexts } from './texts.ts';

export function SettingsPage() {
  usePageTitle(settingsTexts.title);
  const query = useQuery(settingsQuery);
  return (
    <Loaded query={query} loading={settingsTexts.loading} failed={settingsTexts.fetchFailed}>
      {(saved) =>
        saved === null ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={settingsTexts.none} />
        ) : (
          <div className={cards.stack}>
            <SettingsForm saved={saved} />
            <Card title={limitsLinkTexts.heading} note={limitsLinkTexts.note}>
              <Link to="/admin/people">{limitsLinkTexts.link}</Link>
            </Card>
            <RetentionCard key={saved.contactRetention.months} saved={saved} />
            <SettingsHistory />
          </div>
        )
      }
    </Loaded>
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
