import './dark.css';
import { ConfigProvider } from 'antd';
import { type ReactNode, useMemo } from 'react';
import styles from './admin-look.module.css';
import { adminTheme } from './admin-theme.ts';
import { useDark } from './use-dark.ts';

/**
 * The look of the back office. antd writes its style sheets while it runs; the page's policy lets only those through that carry the
 * nonce the server wrote into this very page.
 */
export function AdminLook({ children }: { readonly children: ReactNode }) {
  const dark = useDark();
  const theme = useMemo(() => adminTheme(dark), [dark]);
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  return (
    <ConfigProvider theme={theme} {...(nonce === undefined || nonce === '' ? {} : { csp: { nonce } })}>
      <div className={styles.look} data-area="admin">
        {children}
      </div>
    </ConfigProvider>
  );
}
