import { useQuery } from '@tanstack/react-query';
import { usePageData } from '../../shared/page-data.ts';
import { usePersonName } from '../people/people-calls.ts';
import { Card } from '../ui/card.tsx';
import { timeText } from '../ui/format.ts';
import { Loaded } from '../ui/loaded.tsx';
import styles from './settings.module.css';
import { historyQuery } from './settings-calls.ts';
import { settingsTexts } from './texts.ts';

/** The changes of the settings, newest first. */
export function SettingsHistory() {
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
