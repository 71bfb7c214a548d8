import { may, type Permission } from '@kilim/domain/admin/permissions';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { WovenStrip } from '../../shared/ui/woven-strip.tsx';
import { Permitted, useSession } from '../session/current-session.tsx';
import { logOut } from '../session/session-calls.ts';
import cards from '../ui/card.module.css';
import { Tabs } from '../ui/tabs.tsx';
import styles from './dashboard.module.css';
import { OverviewStrip } from './overview-strip.tsx';
import { layoutTexts } from './texts.ts';
import { useChanges } from './use-changes.ts';

const permissionOf = {
  orders: 'readOrders',
  refunds: 'readOrders',
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

/** The frame around all tabs. Each tab has its own address. */
export function Dashboard({ children }: { readonly children: ReactNode }) {
  useChanges();
  const navigate = useNavigate();
  const current = useLocation({ select: ({ pathname }) => tabOf(pathname) });
  const { username, displayName = username, role } = useSession();
  // The tab of an address that was typed stays, and its page says who can open it.
  const shown = tabs.filter((tab) => tab === current || may(role, permissionOf[tab]));
  const isList = useLocation({ select: ({ pathname }) => /^\/admin\/(orders|refunds)\/?$/.test(pathname) });
  return (
    <>
      <a className={styles.skip} href="#content">
        {layoutTexts.skip}
      </a>
      <header>
        <div className={styles.bar}>
          <div>
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
        {/* One order and the forms have no figures above them. */}
        {isList && <OverviewStrip />}
        <Tabs
          label={layoutTexts.tabList}
          tabs={shown.map((tab) => ({ key: tab, label: layoutTexts.tabs[tab] }))}
          current={current}
          onChoose={(tab) => void navigate({ to: `/admin/${tab}` })}
        >
          <Permitted permission={permissionOf[current]}>{children}</Permitted>
        </Tabs>
      </main>
    </>
  );
}

function tabOf(pathname: string): Tab {
  return tabs.find((tab) => pathname.startsWith(`/admin/${tab}`)) ?? 'orders';
}
