import type { OrderDetail, OrderItem } from '@kilim/bff/contract/orders';
import { tierOffers } from '@kilim/domain/catalog';
import { formatPickup } from '@kilim/domain/format-day';
import { formatPhone } from '@kilim/domain/format-phone';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { addressText } from '../../shared/address-text.ts';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { wishText } from '../shared/pickup/wish-text.ts';
import cards from '../shared/ui/card.module.css';
import { type Fact, Facts } from '../shared/ui/card.tsx';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import sheet from '../shared/ui/sheet.module.css';
import { dueOf } from './due-text.ts';
import { OrderQrCode } from './order-qr-code.tsx';
import { orderQuery } from './order-queries.ts';
import { addOnsOf, measuredText, rugNumberText, sizeText } from './rugs-table.tsx';
import { labelsTexts, orderTexts, workOrderTexts } from './texts.ts';
import styles from './work-order.module.css';

const route = getRouteApi('/admin/orders/$orderId/work-order');

/** For the workshop and the driver, on paper, without prices. */
export function WorkOrderPage() {
  const { orderId } = route.useParams();
  const navigate = route.useNavigate();
  usePageTitle(workOrderTexts.title);
  const query = useQuery(orderQuery(orderId));
  return (
    <div className={cards.stack}>
      <div className={sheet.actions}>
        <Link to="/admin/orders/$orderId" params={{ orderId }}>
          {workOrderTexts.back}
        </Link>
        <div className={cards.tools}>
          <Button onClick={() => void navigate({ to: '/admin/orders/$orderId/labels', params: { orderId } })}>
            {labelsTexts.open}
          </Button>
          <Button type="primary" disabled={query.data === undefined} onClick={() => globalThis.print()}>
            {workOrderTexts.print}
          </Button>
        </div>
      </div>
      <Loaded query={query} loading={orderTexts.loading} failed={orderTexts.loadFailed}>
        {(detail) => <Sheet detail={detail} />}
      </Loaded>
    </div>
  );
}

type Row = OrderItem & { readonly number: string; readonly due: string };

const columns: readonly Column<Row>[] = [
  { title: orderTexts.rug, render: ({ number }) => number },
  { title: orderTexts.size, render: sizeText },
  { title: workOrderTexts.measured, render: (item) => measuredText(item) ?? <span className={styles.blank} /> },
  { title: orderTexts.tier, render: ({ serviceTier }) => tierOffers[serviceTier].name },
  { title: orderTexts.addOns, render: (item) => addOnsOf(item) || orderTexts.missing },
  { title: orderTexts.due, render: ({ due }) => due },
  { title: workOrderTexts.done, render: () => <span className={styles.box} /> },
];

function Sheet({ detail: { order, items, notes } }: { readonly detail: OrderDetail }) {
  const written = notes.filter(({ deleted }) => deleted === null);
  const { name, timeZone } = usePageData().config.business;
  const customer = order.customerInfo;
  const agreed = order.agreedPickup;
  const facts: readonly (Fact | false)[] = [
    [orderTexts.name, customer?.name || orderTexts.missing],
    [orderTexts.phone, formatPhone(customer?.phone ?? '') || orderTexts.missing],
    order.includesDelivery && [orderTexts.address, (customer && addressText(customer)) || orderTexts.missing],
    order.includesDelivery &&
      (agreed === null ? [orderTexts.pickupWish, wishText(customer)] : [orderTexts.agreedPickup, formatPickup(agreed)]),
    order.includesDelivery && Boolean(customer?.driverNote) && [orderTexts.driverNote, customer?.driverNote, 'wide'],
    [orderTexts.created, timeText(order.createdAt, timeZone)],
  ];
  return (
    <article className={sheet.sheet} data-paper aria-labelledby="work-order">
      <div className={styles.head}>
        <div>
          <p className={cards.note}>{name}</p>
          <h2 id="work-order">{workOrderTexts.heading(orderNumberText(order._id))}</h2>
          <p>{order.includesDelivery ? workOrderTexts.pickup : workOrderTexts.dropoff}</p>
        </div>
        <OrderQrCode orderId={order._id} className={styles.code} />
      </div>
      <Facts facts={facts} />
      <DataTable
        label={orderTexts.rugs}
        columns={columns}
        rows={items.map((item, index) => ({
          ...item,
          number: rugNumberText(order._id, index),
          due: dueOf(order, item.serviceTier, timeZone),
        }))}
        rowKey={({ number }) => number}
      />
      {written.length > 0 && (
        <section>
          <h3>{workOrderTexts.notes}</h3>
          <ul>
            {written.map(({ id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.signature}>{workOrderTexts.signature}</p>
    </article>
  );
}
