import { useQuery } from '@tanstack/react-query';
import { Empty } from 'antd';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { Busy } from '../ui/busy.tsx';
import cards from '../ui/card.module.css';
import { LoadProblem } from '../ui/load-problem.tsx';
import { settingsQuery } from './settings-calls.ts';
import { SettingsForm } from './settings-form.tsx';
import { SettingsHistory } from './settings-history.tsx';
import { settingsTexts } from './texts.ts';

export function SettingsPage() {
  usePageTitle(settingsTexts.title);
  const { data, error, refetch } = useQuery(settingsQuery);
  if (data === undefined) {
    return error === null ? (
      <Busy text={settingsTexts.loading} />
    ) : (
      <LoadProblem title={settingsTexts.fetchFailed} error={error} onRetry={() => void refetch()} />
    );
  }
  if (data === null) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={settingsTexts.none} />;
  return (
    <div className={cards.stack}>
      <SettingsForm saved={data} />
      <SettingsHistory />
    </div>
  );
}
