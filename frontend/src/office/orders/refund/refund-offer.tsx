import { Alert, Button } from 'antd';
import cards from '../../shared/ui/card.module.css';
import { orderTexts } from '../texts.ts';
import type { RefundWays } from './refund-ways.ts';
import { reimbursementTexts } from './texts.ts';

type RefundOfferProps = {
  readonly ways: RefundWays;
  readonly onRefund: () => void;
  readonly onReimburse: () => void;
};

/** The button that the box of a failed refund has stands there alone. */
export function RefundButtons({ ways: { noRefund, mayReimburse, failed }, onRefund, onReimburse }: RefundOfferProps) {
  return (
    <div className={cards.tools}>
      {mayReimburse && failed?.way !== 'reimburse' && (
        <Button onClick={onReimburse}>{reimbursementTexts.button}</Button>
      )}
      {noRefund === undefined && failed?.way !== 'refund' && (
        <Button type={failed === undefined ? 'primary' : 'default'} onClick={onRefund}>
          {orderTexts.processRefund}
        </Button>
      )}
    </div>
  );
}

/** One box with one instruction, or the sentence that replaces the button. */
export function RefundNotice(offer: RefundOfferProps) {
  const { noRefund, failed } = offer.ways;
  if (failed !== undefined) return <FailedRefund {...offer} failed={failed} />;
  return noRefund === undefined ? null : <p>{noRefund}</p>;
}

type FailedRefundProps = RefundOfferProps & { readonly failed: NonNullable<RefundWays['failed']> };

function FailedRefund({ failed: { title, advice, way }, onRefund, onReimburse }: FailedRefundProps) {
  return (
    <Alert
      type="error"
      showIcon
      title={title}
      description={
        <div className={cards.row}>
          <p>{advice}</p>
          {way !== undefined && (
            <Button type="primary" onClick={way === 'refund' ? onRefund : onReimburse}>
              {way === 'refund' ? orderTexts.processRefund : reimbursementTexts.button}
            </Button>
          )}
        </div>
      }
    />
  );
}
