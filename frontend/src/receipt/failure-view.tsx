import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../shared/ui/button.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import styles from './receipt.module.css';
import { receiptTexts } from './texts.ts';

type FailureViewProps = {
  readonly heading: string;
  readonly text: string;
  /** Pay again, pay a difference again, ask the server again, or only the way home. */
  readonly action:
    | 'pay'
    | 'home'
    | { readonly differenceId: string }
    | { readonly askAgain: () => void; readonly isAsking: boolean };
};

export function FailureView({ heading, text, action }: FailureViewProps) {
  return (
    <>
      <PageTitle>{heading}</PageTitle>
      <p>{text}</p>
      <div className={styles.actions}>
        {action === 'pay' && (
          <Link to="/checkout" className={buttonClass('primary')}>
            {receiptTexts.tryAgain}
          </Link>
        )}
        {typeof action === 'object' && 'differenceId' in action && (
          <Link to="/difference/$differenceId" params={action} className={buttonClass('primary')}>
            {receiptTexts.tryAgain}
          </Link>
        )}
        {typeof action === 'object' && 'askAgain' in action && (
          <Button busy={action.isAsking} onClick={action.askAgain}>
            {receiptTexts.tryAgain}
          </Button>
        )}
        <Link to="/" className={buttonClass('secondary')}>
          {receiptTexts.home}
        </Link>
      </div>
    </>
  );
}
