import type { PasswordLink } from '@kilim/bff/contract/people';
import { Alert } from 'antd';
import cards from '../shared/ui/card.module.css';
import { CopyButton } from '../shared/ui/copy-button.tsx';
import { linkAddress } from './people-calls.ts';
import { linkTexts } from './texts.ts';

/** Shown once, with a button that copies it. */
export function ShownLink({ link }: { readonly link: PasswordLink }) {
  const address = linkAddress(link.token);
  return (
    <Alert
      type="success"
      role="status"
      showIcon
      title={linkTexts.made(link.username)}
      description={
        <>
          <p>
            <code className={cards.secret}>{address}</code>
          </p>
          <p>{linkTexts.how}</p>
        </>
      }
      action={<CopyButton text={address} texts={linkTexts} />}
    />
  );
}
