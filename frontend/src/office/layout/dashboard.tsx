import { useQuery } from '@tanstack/react-query';
import { type AnyRoute, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { useOnline } from '../../shared/use-online.ts';
import { HasAwayBanner } from '../shared/api/no-answer.ts';
import { pageOf, permissionFor, placesFor } from '../shared/places.ts';
import { Permitted, useSession } from '../shared/session/current-session.tsx';
import { logOut } from '../shared/session/session-calls.ts';
import { attentionQuery } from '../today/today-calls.ts';
import styles from './frame.module.css';
import { Frame } from './frame.tsx';
import { layoutTexts } from './texts.ts';
import { useChanges } from './use-changes.ts';

export function Dashboard({ children }: { readonly children: ReactNode }) {
  useLoadAhead();
  const isAnswered = useChanges();
  const online = useOnline();
  const navigate = useNavigate();
  const page = useLocation({ select: ({ pathname }) => pageOf(pathname) });
  const { username, displayName = username, role } = useSession();
  const waiting = useQuery(attentionQuery).data?.items.length ?? 0;
  const open = (event: MouseEvent, href: string) => {
    // Other presses open a new tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: href });
  };
  return (
    <Frame
      displayName={displayName}
      places={placesFor(role, page)}
      page={page}
      waiting={waiting}
      onOpen={open}
      onLogout={() => void logOut()}
      notice={!isAnswered && online && <p className={styles.away}>{layoutTexts.away}</p>}
    >
      <HasAwayBanner value={true}>
        <Permitted permission={permissionFor(page)}>{children}</Permitted>
      </HasAwayBanner>
    </Frame>
  );
}

/** The first page loads its data first. */
const startAfterMilliseconds = 1_000;

/**
 * Loads all pages' scripts, so that a tab opens while the server is away, or after an upgrade removed this version's
 * scripts.
 */
function useLoadAhead(): void {
  const router = useRouter();
  useEffect(() => {
    const routes: readonly AnyRoute[] = Object.values(router.routesById);
    const timer = setTimeout(() => {
      for (const route of routes) {
        // It is loaded when the page is opened.
        void router.loadRouteChunk(route)?.catch(() => undefined);
      }
    }, startAfterMilliseconds);
    return () => clearTimeout(timer);
  }, [router]);
}
