import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isFramed } from '../framed.ts';
import { usePageData } from '../page-data.ts';
import { sharedTexts } from '../texts.ts';
import { PhoneIcon } from './icons.tsx';
import styles from './page.module.css';
import { WovenStrip } from './woven-strip.tsx';

/** In an iframe it shows only the content. */
export function Page({ children }: { readonly children: ReactNode }) {
  const { name } = usePageData().config.business;
  if (isFramed()) {
    return (
      <main id="content" aria-label={name}>
        {children}
      </main>
    );
  }
  return (
    <div className={styles.page}>
      <a className={styles.skip} href="#content">
        {sharedTexts.skipToContent}
      </a>
      <SiteHeader />
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

function SiteHeader() {
  const { business } = usePageData().config;
  return (
    <header>
      <div className={styles.bar}>
        <Link to="/" className={styles.brand} aria-label={sharedTexts.home(business.name)}>
          {business.name}
        </Link>
        <PhoneLink phone={business.phone} />
      </div>
      <WovenStrip />
    </header>
  );
}

function SiteFooter() {
  const { business } = usePageData().config;
  return (
    <footer className={styles.footer}>
      <div className={styles.bar}>
        <p>{sharedTexts.copyright(business.name)}</p>
        <PhoneLink phone={business.phone} />
      </div>
    </footer>
  );
}

/** Nothing while the shop has set no number. */
export function PhoneLink({ phone }: { readonly phone: string }) {
  return phone === '' ? null : (
    <a className={styles.phone} href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} aria-label={sharedTexts.callUs(phone)}>
      <PhoneIcon />
      <span>{phone}</span>
    </a>
  );
}
