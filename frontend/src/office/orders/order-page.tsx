import type { ReimbursementMethod } from '@kilim/domain/order/events';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../shared/ui/card.module.css';
import { Loaded } from '../shared/ui/loaded.tsx';
import { rememberOpened, searchToReturnTo } from './last-opened.ts';
import { orderQuery } from './order-queries.ts';
import { OrderView } from './order-view.tsx';
import { RefundDialog } from './refund/refund-dialog.tsx';
import { ReimburseDialog } from './refund/reimburse-dialog.tsx';
import { orderTexts } from './texts.ts';

const route = getRouteApi('/admin/orders/$orderId');

export function OrderPage() {
  usePageTitle(orderTexts.title);
  const { orderId } = route.useParams();
  // Text typed for one order never appears at another.
  return <OpenOrder key={orderId} orderId={orderId} />;
}

function OpenOrder({ orderId }: { readonly orderId: string }) {
  const query = useQuery(orderQuery(orderId));
  useEffect(() => rememberOpened(orderId), [orderId]);
  const [refunding, setRefunding] = useState(false);
  const paidBy = usePaidBy();
  const [reimbursing, setReimbursing] = useState(paidBy !== undefined);
  const open = (setOpen: (isOpen: true) => void) => () => {
    setOpen(true);
    // Another person may have given money back since it was loaded.
    void query.refetch();
  };
  return (
    <div className={cards.stack}>
      <div>
        <BackToOrders />
      </div>
      <Loaded query={query} loading={orderTexts.loading} failed={orderTexts.loadFailed} missing={orderTexts.notFound}>
        {(detail) => (
          <>
            <OrderView detail={detail} onRefund={open(setRefunding)} onReimburse={open(setReimbursing)} />
            {reimbursing && <ReimburseDialog detail={detail} method={paidBy} onClose={() => setReimbursing(false)} />}
            {refunding && <RefundDialog detail={detail} onClose={() => setRefunding(false)} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** How the customer was paid, when another page has asked for it. A reload does not ask again. */
function usePaidBy(): ReimbursementMethod | undefined {
  const navigate = route.useNavigate();
  const [paidBy] = useState(useLocation({ select: ({ state }) => state.paidBy }));
  useEffect(() => {
    if (paidBy !== undefined) void navigate({ replace: true, state: {} });
  }, [paidBy, navigate]);
  return paidBy;
}

/** By the history, which keeps the scroll position, when the order was opened from the list. */
function BackToOrders() {
  const router = useRouter();
  const navigate = route.useNavigate();
  const isFromOrders = useLocation({ select: ({ state }) => state.isFromOrders === true });
  const back = () => {
    if (isFromOrders) router.history.back();
    else void navigate({ to: '/admin/orders', search: searchToReturnTo() });
  };
  return <Button onClick={back}>{orderTexts.back}</Button>;
}
