import { usePageData } from '../../shared/page-data.ts';
import { WovenStrip } from '../../shared/ui/woven-strip.tsx';
import { usePageTitle } from '../../shared/use-page-title.ts';
import styles from './login.module.css';
import { LoginForm } from './login-form.tsx';
import { sessionTexts } from './texts.ts';

export function LoginScreen() {
  usePageTitle(sessionTexts.heading);
  const { name } = usePageData().config.business;
  return (
    <>
      <WovenStrip />
      <main className={styles.screen}>
        <div className={styles.card}>
          <div>
            <p>{name}</p>
            <h1>{sessionTexts.heading}</h1>
          </div>
          <LoginForm />
        </div>
      </main>
    </>
  );
}
