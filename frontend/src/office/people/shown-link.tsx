import type { PasswordLink } from '@kilim/bff/contract/people';
import { Alert, Button } from 'antd';
import { showToast } from '../../shared/toast/toast-store.ts';
import styles from './people.module.css';
import { linkAddress } from './people-calls.ts';
import { linkTexts } from './texts.ts';

/** Shown once, with a button that copies it. */
export function ShownLink({ link }: { readonly link: PasswordLink }) {
  const address = linkAddress(link.token);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showToast({ title: linkTexts.copied });
    } catch {
      showToast({ title: linkTexts.copyFailed, variant: 'destructive' });
    }
  };
  return (
    <Alert
      type="success"
      role="status"
      showIcon
      title={linkTexts.made(link.username)}
      description={
        <>
          <p>
            <code className={styles.link}>{address}</code>
          </p>
          <p>{linkTexts.how}</p>
        </>
      }
      action={<Button onClick={() => void copy()}>{linkTexts.copy}</Button>}
    />
  );
}
