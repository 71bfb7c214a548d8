import type { ReactNode } from 'react';
import { WovenStrip } from '../../../shared/ui/woven-strip.tsx';
import styles from './login.module.css';
import { sessionTexts } from './texts.ts';

/** Of every page in front of the office. */
export function FrontPage({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <WovenStrip />
      <main className={styles.screen}>
        <div className={styles.card}>{children}</div>
      </main>
    </>
  );
}

type SignInPageProps = { readonly businessName: string; readonly children: ReactNode };

/** The server draws it with a `SignInForm` inside. */
export function SignInPage({ businessName, children }: SignInPageProps) {
  return (
    <FrontPage>
      <div>
        <p>{businessName}</p>
        <h1>{sessionTexts.heading}</h1>
      </div>
      {children}
    </FrontPage>
  );
}
