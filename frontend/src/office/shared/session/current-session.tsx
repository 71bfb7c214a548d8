import { type Session, session } from '@kilim/bff/contract/session';
import { may, notPermittedText, type Permission } from '@kilim/domain/people/permissions';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { isNoAnswer } from '../api/no-answer.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Nothing } from '../ui/nothing.tsx';
import { officeStart } from './office-start.ts';
import { FrontPage } from './sign-in-page.tsx';
import { sessionTexts } from './texts.ts';

const freshMilliseconds = 10_000;
const askAgainMilliseconds = 5_000;

export const sessionQuery = queryOptions({
  ...adminQuery(['admin', 'session'], call('GET /api/admin/session', { answer: session })),
  staleTime: freshMilliseconds,
  initialData: () => officeStart?.session,
  // No page is open yet that would ask again.
  refetchInterval: ({ state }) => state.data === undefined && isNoAnswer(state.error) && askAgainMilliseconds,
});

const CurrentSession = createContext<Session | undefined>(undefined);

export function WithSession({ children }: { readonly children: (session: Session) => ReactNode }) {
  const query = useQuery(sessionQuery);
  const { data } = query;
  useReloadForAnotherPerson(data?.username);
  const shown = (
    <Loaded query={query} loading={sessionTexts.loading} failed={sessionTexts.loadFailed}>
      {(loaded) => <CurrentSession value={loaded}>{children(loaded)}</CurrentSession>}
    </Loaded>
  );
  if (data !== undefined) return shown;
  return (
    <FrontPage>
      <h1>{sessionTexts.office}</h1>
      {shown}
    </FrontPage>
  );
}

/** The next person may not see the previous one's data. */
function useReloadForAnotherPerson(username: string | undefined): void {
  const first = useRef<string>(undefined);
  useEffect(() => {
    if (username === undefined) return;
    if (first.current !== undefined && first.current !== username) window.location.reload();
    first.current = username;
  }, [username]);
}

export function useSession(): Session {
  const current = useContext(CurrentSession);
  if (current === undefined) throw new Error('There is no session above this component');
  return current;
}

/** The server decides again with each call. */
export function useMay(permission: Permission): boolean {
  return may(useSession().role, permission);
}

/** Other people read who can open it. */
export function Permitted({ permission, children }: { readonly permission: Permission; readonly children: ReactNode }) {
  const { role } = useSession();
  if (may(role, permission)) return children;
  return <Nothing hint={notPermittedText(role, permission)} />;
}
