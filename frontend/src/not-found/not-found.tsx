import { Link } from '@tanstack/react-router';
import { buttonClass } from '../shared/ui/button.tsx';
import { Page } from '../shared/ui/page.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { usePageTitle } from '../shared/use-page-title.ts';
import styles from './not-found.module.css';
import { notFoundTexts } from './texts.ts';

export function NotFound() {
  usePageTitle(notFoundTexts.heading);
  return (
    <Page>
      <div className={styles.screen}>
        <PageTitle>{notFoundTexts.heading}</PageTitle>
        <p>{notFoundTexts.hint}</p>
        {/* The router of the back office has no "/". */}
        <Link to="/" reloadDocument className={buttonClass('primary')}>
          {notFoundTexts.home}
        </Link>
      </div>
    </Page>
  );
}
