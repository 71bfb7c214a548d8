import { ConfigProvider } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { useMediaQuery } from '../../../shared/use-media-query.ts';
import styles from './admin-look.module.css';
import { adminTheme } from './admin-theme.ts';

/** antd inserts style sheets at run time; the content security policy accepts only those with this page's nonce. */
export function AdminLook({ children }: { readonly children: ReactNode }) {
  const dark = useMediaQuery('(prefers-color-scheme: dark)');
  const theme = useMemo(() => adminTheme(dark), [dark]);
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  return (
    <ConfigProvider theme={theme} {...(nonce === undefined || nonce === '' ? {} : { csp: { nonce } })}>
      <div className={styles.look}>{children}</div>
    </ConfigProvider>
  );
}
