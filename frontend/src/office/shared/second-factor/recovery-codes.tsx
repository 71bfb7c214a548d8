import { Alert, Button } from 'antd';
import cards from '../ui/card.module.css';
import { CopyButton } from '../ui/copy-button.tsx';
import { useAskBeforeLeaving } from '../ui/use-ask-before-leaving.ts';
import styles from './second-factor.module.css';
import { recoveryTexts } from './texts.ts';

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onDone: () => void };

/** Shown once, with ways to keep them. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  useAskBeforeLeaving(true, recoveryTexts.leave);
  const text = codes.join('\n');
  return (
    <div className={cards.stack}>
      <Alert type="warning" role="status" showIcon title={recoveryTexts.shownHeading} description={recoveryTexts.why} />
      <ul className={styles.codes} aria-label={recoveryTexts.heading}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <CopyButton text={text} texts={recoveryTexts} />
        <Button onClick={() => download(text)}>{recoveryTexts.download}</Button>
        <Button onClick={() => window.print()}>{recoveryTexts.print}</Button>
      </div>
      <div className={styles.actions}>
        <Button type="primary" onClick={onDone}>
          {recoveryTexts.done}
        </Button>
      </div>
    </div>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = recoveryTexts.file;
  link.click();
  URL.revokeObjectURL(address);
}
