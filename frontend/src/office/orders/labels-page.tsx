import type { OrderDetail } from '@kilim/bff/contract/orders';
import { tierOffers } from '@kilim/domain/catalog';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../shared/ui/card.module.css';
import { Loaded } from '../shared/ui/loaded.tsx';
import sheet from '../shared/ui/sheet.module.css';
import { dueOf } from './due-text.ts';
import styles from './labels.module.css';
import { OrderQrCode } from './order-qr-code.tsx';
import { orderQuery } from './order-queries.ts';
import { measuredText, rugNumberText, sizeText } from './rugs-table.tsx';
import { labelsTexts, orderTexts, workOrderTexts } from './texts.ts';

const route = getRouteApi('/admin/orders/$orderId/labels');

/** One for each rug, to stick on it. */
export function LabelsPage() {
  const { orderId } = route.useParams();
  usePageTitle(labelsTexts.title);
  const query = useQuery(orderQuery(orderId));
  return (
    <div className={cards.stack}>
      <div className={sheet.actions}>
        <Link to="/admin/orders/$orderId/work-order" params={{ orderId }}>
          {labelsTexts.back}
        </Link>
        <Button type="primary" disabled={query.data === undefined} onClick={() => globalThis.print()}>
          {workOrderTexts.print}
        </Button>
      </div>
      <Loaded query={query} loading={orderTexts.loading} failed={orderTexts.loadFailed}>
        {(detail) => <Labels detail={detail} />}
      </Loaded>
    </div>
  );
}

/** Of Avery 5160 and its likes: three columns of ten. */
const labelsPerSheet = 30;

function Labels({ detail: { order, items } }: { readonly detail: OrderDetail }) {
  const { timeZone } = usePageData().config.business;
  const labels = items.map((item, index) => ({
    number: rugNumberText(order._id, index),
    size: measuredText(item) ?? sizeText(item),
    due: labelsTexts.due(tierOffers[item.serviceTier].name, dueOf(order, item.serviceTier, timeZone)),
  }));
  const sheets = Array.from({ length: Math.ceil(labels.length / labelsPerSheet) }, (_, place) =>
    labels.slice(place * labelsPerSheet, (place + 1) * labelsPerSheet),
  );
  return (
    <>
      <div className={styles.heading}>
        <h2>{labelsTexts.heading(orderNumberText(order._id))}</h2>
        <p className={cards.note}>{labelsTexts.paper}</p>
      </div>
      <div className={styles.labels} data-paper>
        {sheets.map((ofSheet) => (
          <ul key={ofSheet[0]?.number} className={styles.page}>
            {ofSheet.map(({ number, size, due }) => (
              <li key={number} className={styles.label}>
                <OrderQrCode orderId={order._id} className={styles.code} />
                <div className={styles.words}>
                  <strong>{number}</strong>
                  <span>{size}</span>
                  <span>{due}</span>
                  <span>{order.customerInfo?.name}</span>
                </div>
              </li>
            ))}
          </ul>
        ))}
      </div>
    </>
  );
}
