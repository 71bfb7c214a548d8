import { may, type Permission } from '@kilim/domain/people/permissions';
import { useQuery } from '@tanstack/react-query';
import { type AnyRoute, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { WovenStrip } from '../../shared/ui/woven-strip.tsx';
import { useOnline } from '../../shared/use-online.ts';
import { Permitted, useSession } from '../shared/session/current-session.tsx';
import { logOut } from '../shared/session/session-calls.ts';
import cards from '../shared/ui/card.module.css';
import { Tabs } from '../shared/ui/tabs.tsx';
import { useFocusAfterMoving } from '../shared/ui/use-focus-after-moving.ts';
import { attentionQuery } from '../today/today-calls.ts';
import styles from './dashboard.module.css';
import { layoutTexts } from './texts.ts';
import { useChanges } from './use-changes.ts';

const permissionOf = {
  today: 'readOrders',
  orders: 'readOrders',
  refunds: 'readOrders',
  money: 'readOrders',
  accounting: 'export',
  reports: 'export',
  books: 'readBooks',
  payouts: 'readBooks',
  settings: 'readSettings',
  people: 'readPeople',
  security: 'readSecurityLog',
  password: 'useOwnAccount',
} as const satisfies Record<string, Permission>;
type Tab = keyof typeof permissionOf;
const tabs = Object.keys(permissionOf) as readonly Tab[];

export function Dashboard({ children }: { readonly children: ReactNode }) {
  useLoadAhead();
  const isAnswered = useChanges();
  const online = useOnline();
  const panel = useFocusAfterMoving();
  const navigate = useNavigate();
  const current = useLocation({ select: ({ pathname }) => tabOf(pathname) });
  const { username, displayName = username, role } = useSession();
  const permission = current === undefined ? 'useOwnAccount' : permissionOf[current];
  // A typed address keeps its tab, and its page says who can open it.
  const shown = tabs.filter((tab) => tab === current || may(role, permissionOf[tab]));
  const waiting = useQuery(attentionQuery).data?.items.length ?? 0;
  return (
    <>
      <a className={styles.skip} href="#content">
        {layoutTexts.skip}
      </a>
      <header>
        <div className={styles.bar}>
          <div className={styles.names}>
            <h1>{layoutTexts.title}</h1>
            <p className={cards.note}>{layoutTexts.subtitle}</p>
          </div>
          <div className={styles.person}>
            <span className={cards.note}>{displayName}</span>
            <Button onClick={() => void logOut()}>{layoutTexts.logout}</Button>
          </div>
        </div>
        <WovenStrip />
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        <div role="status">{!isAnswered && online && <p className={styles.away}>{layoutTexts.away}</p>}</div>
        <Tabs
          panel={panel}
          label={layoutTexts.tabList}
          tabs={shown.map((tab) => ({
            key: tab,
            label: layoutTexts.tabs[tab],
            count: tab === 'today' ? waiting : 0,
          }))}
          countText={layoutTexts.needsAttention}
          current={current}
          onChoose={(tab) => void navigate({ to: `/admin/${tab}` })}
        >
          <Permitted permission={permission}>{children}</Permitted>
        </Tabs>
      </main>
    </>
  );
}

/** Undefined for an address that does not exist. */
function tabOf(pathname: string): Tab | undefined {
  return tabs.find((tab) => tab === pathname.split('/')[2]);
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
