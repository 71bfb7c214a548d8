import { useQuery } from '@tanstack/react-query';
import { usePageData } from '../../shared/page-data.ts';
import { Busy } from '../ui/busy.tsx';
import { Card } from '../ui/card.tsx';
import { timeText } from '../ui/format.ts';
import { LoadProblem } from '../ui/load-problem.tsx';
import styles from './settings.module.css';
import { historyQuery } from './settings-calls.ts';
import { settingsTexts } from './texts.ts';

/** The changes of the settings, newest first. */
export function SettingsHistory() {
  const { timeZone } = usePageData().config.business;
  const { data, error, refetch } = useQuery(historyQuery);
  return (
    <Card title={settingsTexts.history}>
      {data === undefined && error === null && <Busy text={settingsTexts.historyLoading} />}
      {error !== null && (
        <LoadProblem title={settingsTexts.historyFailed} error={error} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p>{settingsTexts.historyNone}</p>}
      {data !== undefined && data.length > 0 && (
        <ol className={styles.history} aria-label={settingsTexts.history}>
          {data.map(({ version, at, by, changes }) => (
            <li key={version}>
              <p>
                <strong>{settingsTexts.version(version)}</strong>, <time dateTime={at}>{timeText(at, timeZone)}</time>,{' '}
                {by}
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
    </Card>
  );
}
