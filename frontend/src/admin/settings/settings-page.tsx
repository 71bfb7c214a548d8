import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty } from 'antd';
import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { RetentionCard } from './retention-card.tsx';
import { settingsQuery } from './settings-calls.ts';
import { SettingsForm } from './settings-form.tsx';
import { SettingsHistory } from './settings-history.tsx';
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
            <RetentionCard />
            <SettingsHistory />
          </div>
        )
      }
    </Loaded>
  );
}
