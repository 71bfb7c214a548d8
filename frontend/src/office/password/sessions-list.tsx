import type { ListedSession } from '@kilim/bff/contract/session';
import { browserName } from '@kilim/domain/people/browser-name';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { logOut } from '../shared/session/session-calls.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { endAllSessions, endSession, sessionsQuery } from './password-calls.ts';
import { sessionsTexts } from './texts.ts';

export function SessionsList() {
  const query = useQuery(sessionsQuery);
  const { busy, attempt, prompt } = usePasswordGate();
  const onFailed = () => showToast({ title: sessionsTexts.failed, variant: 'destructive' });
  const end = ({ id }: ListedSession) =>
    attempt({ call: () => endSession(id), onDone: () => void query.refetch(), onFailed });
  const endAll = () => attempt({ call: endAllSessions, onDone: () => void logOut(), onFailed });
  return (
    <Card
      title={sessionsTexts.heading}
      note={sessionsTexts.note}
      actions={
        <Button danger disabled={busy} onClick={endAll}>
          {sessionsTexts.everywhere}
        </Button>
      }
    >
      <Loaded query={query} loading={sessionsTexts.loading} failed={sessionsTexts.loadFailed}>
        {(sessions) => (
          <ul className={cards.divided} aria-label={sessionsTexts.heading}>
            {sessions.map((session) => (
              <Session key={session.id} session={session} onEnd={() => end(session)} />
            ))}
          </ul>
        )}
      </Loaded>
      {prompt}
    </Card>
  );
}

type SessionProps = { readonly session: ListedSession; readonly onEnd: () => void };

function Session({ session, onEnd }: SessionProps) {
  const { timeZone } = usePageData().config.business;
  const browser = browserName(session.userAgent) ?? sessionsTexts.unknownBrowser;
  return (
    <li className={cards.row}>
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
