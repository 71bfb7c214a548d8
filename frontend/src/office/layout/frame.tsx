import type { MouseEvent, ReactNode } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { WovenStrip } from '../../shared/ui/woven-strip.tsx';
import { forAccountant, type PageName, type Place, placeOf } from '../shared/places.ts';
import cards from '../shared/ui/card.module.css';
import { Tabs } from '../shared/ui/tabs.tsx';
import styles from './frame.module.css';
import { layoutTexts } from './texts.ts';

type FrameProps = {
  readonly displayName: string;
  readonly places: readonly Place[];
  readonly page: PageName | undefined;
  /** What waits for a person, shown at *Today*. */
  readonly waiting?: number;
  readonly onOpen?: ((event: MouseEvent, href: string) => void) | undefined;
  readonly onLogout?: () => void;
  /** Above the page. */
  readonly notice?: ReactNode;
  readonly children: ReactNode;
};

/** The server draws it, too (`render-pages.tsx`), so it needs no router, no data and no antd. */
export function Frame({ displayName, places, page, waiting = 0, notice, children, ...frame }: FrameProps) {
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
            <Button variant="secondary" className={styles.logout} onClick={frame.onLogout}>
              {layoutTexts.logout}
            </Button>
          </div>
        </div>
        <WovenStrip />
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        <div role="status">{notice}</div>
        <Tabs
          label={layoutTexts.tabList}
          tabs={places.map(({ name, pages }) => ({
            key: name,
            label: layoutTexts.places[name],
            href: hrefOf(pages[0]),
            count: name === 'today' ? waiting : 0,
          }))}
          countText={layoutTexts.needsAttention}
          current={placeOf(page)}
          onOpen={frame.onOpen}
        >
          <Trail places={places} page={page} onOpen={frame.onOpen} />
          {children}
        </Tabs>
      </main>
    </>
  );
}

/** From a page to the first one of its place, and between those for the accountant. */
function Trail({ places, page, onOpen }: Pick<FrameProps, 'places' | 'page' | 'onOpen'>) {
  const place = placeOf(page);
  const [first, ...others] = places.find(({ name }) => name === place)?.pages ?? [];
  if (place === undefined || first === undefined || page === first) return null;
  const isForAccountant = (each: PageName | undefined) => forAccountant.some((one) => one === each);
  const pages = [first, ...others.filter((each) => isForAccountant(page) && isForAccountant(each))];
  return (
    <nav aria-label={layoutTexts.pagesOf(layoutTexts.places[place])} className={styles.trail}>
      <ul>
        {pages.map((each) => (
          <li key={each}>
            <a
              href={hrefOf(each)}
              aria-current={each === page ? 'page' : undefined}
              onClick={(event) => onOpen?.(event, hrefOf(each))}
            >
              {each === first ? layoutTexts.places[place] : layoutTexts.pages[each]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function hrefOf(page: PageName | undefined): string {
  return `/admin/${page ?? ''}`;
}
