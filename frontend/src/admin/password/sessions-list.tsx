import type { ListedSession } from '@kilim/bff/contract/session';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { sessionEnded } from '../session/session-store.ts';
import { Badge } from '../ui/badge.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { timeText } from '../ui/format.ts';
import { Loaded } from '../ui/loaded.tsx';
import { browserName } from './browser-name.ts';
import styles from './password.module.css';
import { endAllSessions, endSession, sessionsQuery } from './password-calls.ts';
import { sessionsTexts } from './texts.ts';

export function SessionsList() {
  const query = useQuery({ ...sessionsQuery, refetchOnMount: 'always' });
  const end = async (session: ListedSession) => {
    if (await endSession(session.id)) void query.refetch();
    else showToast({ title: sessionsTexts.failed, variant: 'destructive' });
  };
  const endAll = async () => {
    if (await endAllSessions()) sessionEnded();
    else showToast({ title: sessionsTexts.failed, variant: 'destructive' });
  };
  return (
    <Card
      title={sessionsTexts.heading}
      note={sessionsTexts.note}
      actions={
        <Button danger onClick={() => void endAll()}>
          {sessionsTexts.everywhere}
        </Button>
      }
    >
      <Loaded query={query} loading={sessionsTexts.loading} failed={sessionsTexts.loadFailed}>
        {(sessions) => (
          <ul className={styles.sessions} aria-label={sessionsTexts.heading}>
            {sessions.map((session) => (
              <Session key={session.id} session={session} onEnd={() => void end(session)} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

type SessionProps = { readonly session: ListedSession; readonly onEnd: () => void };

function Session({ session, onEnd }: SessionProps) {
  const { timeZone } = usePageData().config.business;
  const browser = browserName(session.userAgent) ?? sessionsTexts.unknownBrowser;
  return (
    <li className={classNames(cards.row, styles.session)}>
      <div>
        <p>
          <strong>{browser}</strong> {session.address}{' '}
          {session.current && <Badge tone="completed">{sessionsTexts.here}</Badge>}
        </p>
        <p className={cards.soft}>
          {sessionsTexts.since(timeText(session.createdAt, timeZone))},{' '}
          {sessionsTexts.seen(timeText(session.seenAt, timeZone))}
        </p>
      </div>
      {!session.current && (
        <Button aria-label={sessionsTexts.endOf(browser, session.address)} onClick={onEnd}>
          {sessionsTexts.end}
        </Button>
      )}
    </li>
  );
}
