import { useLocation, useNavigate } from '@tanstack/react-router';
import { Button, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { WovenStrip } from '../../shared/ui/woven-strip.tsx';
import { logOut } from '../session/session-calls.ts';
import styles from './dashboard.module.css';
import { OverviewStrip } from './overview-strip.tsx';
import { layoutTexts } from './texts.ts';

const tabs = ['orders', 'refunds', 'settings', 'password'] as const;
type Tab = (typeof tabs)[number];

/** The frame around all tabs. Each tab has an address of its own. */
export function Dashboard({ children }: { readonly children: ReactNode }) {
  const navigate = useNavigate();
  const current = useLocation({ select: ({ pathname }) => tabOf(pathname) });
  return (
    <>
      <a className={styles.skip} href="#content">
        {layoutTexts.skip}
      </a>
      <header>
        <div className={styles.bar}>
          <div>
            <h1>{layoutTexts.title}</h1>
            <p className={styles.subtitle}>{layoutTexts.subtitle}</p>
          </div>
          <Button onClick={() => void logOut()}>{layoutTexts.logout}</Button>
        </div>
        <WovenStrip />
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        <OverviewStrip />
        <Tabs
          aria-label={layoutTexts.tabList}
          activeKey={current}
          destroyOnHidden
          onChange={(tab) => void navigate({ to: `/admin/${tab as Tab}` })}
          items={tabs.map((tab) => ({
            key: tab,
            label: layoutTexts.tabs[tab],
            children: tab === current ? children : null,
          }))}
        />
      </main>
    </>
  );
}

function tabOf(pathname: string): Tab {
  return tabs.find((tab) => pathname.startsWith(`/admin/${tab}`)) ?? 'orders';
}
