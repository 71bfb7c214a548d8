import { type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react';
import styles from './tabs.module.css';

type TabsProps<Key extends string> = {
  readonly label: string;
  readonly tabs: readonly {
    readonly key: Key;
    readonly label: string;
    readonly href: string;
    /** Shown when it is not zero. */
    readonly count: number;
  }[];
  readonly countText: (label: string, count: number) => string;
  /** Undefined: the content belongs to none. */
  readonly current: Key | undefined;
  /** Absent: the browser follows the link. */
  readonly onOpen: ((event: MouseEvent, href: string) => void) | undefined;
  readonly children: ReactNode;
};

/**
 * Links, so that they work before the scripts do. They are one stop for the Tab key, and arrow keys move between them. Why it is not
 * antd's: docs/topics/order-form-and-pages.md.
 */
export function Tabs<Key extends string>({ label, tabs, countText, current, onOpen, children }: TabsProps<Key>) {
  const id = useId();
  return (
    <div>
      <div role="tablist" aria-label={label} className={styles.list} onKeyDown={moveFocus}>
        {tabs.map((tab) => (
          <a
            key={tab.key}
            href={tab.href}
            role="tab"
            id={`${id}-${tab.key}`}
            className={styles.tab}
            aria-selected={tab.key === current}
            aria-controls={tab.key === current ? `${id}-panel` : undefined}
            tabIndex={tab.key === (current ?? tabs[0]?.key) ? 0 : -1}
            aria-label={tab.count > 0 ? countText(tab.label, tab.count) : undefined}
            onClick={(event) => onOpen?.(event, tab.href)}
          >
            {tab.label}
            {tab.count > 0 && <span className={styles.count}>{tab.count}</span>}
          </a>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        className={styles.panel}
        {...(current === undefined ? { 'aria-label': label } : { 'aria-labelledby': `${id}-${current}` })}
        tabIndex={-1}
      >
        {children}
      </div>
    </div>
  );
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Only the focus: opening a tab loads its data, and asks about unsaved input first. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  // A link follows Enter by itself.
  if (event.key === ' ') {
    event.preventDefault();
    (event.target as HTMLElement).click();
  }
  const step = steps[event.key];
  if (step === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = all.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  event.preventDefault();
  all[step(at, all.length)]?.focus();
}
