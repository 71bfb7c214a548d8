import type { AdminOrder } from '@kilim/bff/contract/orders';
import { formatPickup } from '@kilim/domain/format-day';
import { formatDollars } from '@kilim/domain/money';
import { cardName } from '@kilim/domain/order/card-brand';
import { addressText } from '../../shared/address-text.ts';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { AgreePickup } from '../shared/pickup/agree-pickup.tsx';
import { wishText } from '../shared/pickup/wish-text.ts';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Facts } from '../shared/ui/card.tsx';
import { EmailLink, MapLink, PhoneLink } from '../shared/ui/contact-links.tsx';
import { timeText } from '../shared/ui/format.ts';
import { OrderBadges } from './status-badges.tsx';
import { ordersTexts, orderTexts } from './texts.ts';

export function OrderFacts({ order }: { readonly order: AdminOrder }) {
  const { timeZone } = usePageData().config.business;
  const { customerInfo: customer } = order;
  // The contact and the pickup of a difference stand with its order.
  const isWhole = order.supplementOf === null;
  const isPickup = isWhole && order.includesDelivery;
  const address = customer === null ? '' : addressText(customer);
  const isStillPaid = order.remainingRefundable > 0 && order.refundBlock?.code !== 'DisputeLost';
  const mayAgree = useMay('writeNotes') && order.payment !== null && isStillPaid;
  return (
    <Facts
      facts={[
        [orderTexts.orderNumber, <strong key="number">{orderNumberText(order._id)}</strong>],
        isWhole && [orderTexts.name, customer?.name || orderTexts.missing],
        isWhole && [orderTexts.email, customer ? <EmailLink key="email" email={customer.email} /> : orderTexts.missing],
        isWhole && [
          orderTexts.phone,
          customer?.phone ? <PhoneLink key="phone" phone={customer.phone} /> : orderTexts.missing,
        ],
        isPickup && [
          orderTexts.address,
          // A masked one has no street.
          customer?.address ? <MapLink key="address" address={address} /> : address || orderTexts.missing,
        ],
        isPickup && [orderTexts.pickupWish, wishText(customer)],
        isPickup && [
          orderTexts.agreedPickup,
          <div key="pickup" className={cards.tools}>
            <span>{order.agreedPickup === null ? orderTexts.notAgreed : formatPickup(order.agreedPickup)}</span>
            {mayAgree && <AgreePickup order={order} label={orderTexts.agree} />}
          </div>,
        ],
        isPickup && Boolean(customer?.driverNote) && [orderTexts.driverNote, customer?.driverNote, 'wide'],
        [orderTexts.total, <strong key="total">{formatDollars(order.totalCost)}</strong>],
        isWhole && [orderTexts.delivery, isPickup ? orderTexts.yes : orderTexts.no],
        [orderTexts.created, timeText(order.createdAt, timeZone)],
        [ordersTexts.status, <OrderBadges key="status" order={order} />],
        [orderTexts.source, order.source.embedded ? orderTexts.sourceEmbedded : orderTexts.sourceDirect],
      ]}
    />
  );
}

export function PaymentFacts({ order }: { readonly order: AdminOrder }) {
  const { timeZone } = usePageData().config.business;
  const { payment } = order;
  if (payment === null && order.paymentStatus === 'paid') {
    return <p>{orderTexts.paidInShop(formatDollars(order.totalCost))}</p>;
  }
  if (payment === null) {
    return (
      <p>
        {orderTexts.notPaid} {ordersTexts.paymentStatus[order.paymentStatus]}.
      </p>
    );
  }
  return (
    <Facts
      facts={[
        [orderTexts.card, cardName(payment)],
        [orderTexts.taken, `${formatDollars(payment.amount)}, ${timeText(payment.capturedAt, timeZone)}`],
        [orderTexts.fee, payment.fee === null ? orderTexts.feeUnknown : formatDollars(payment.fee)],
        isSecure(payment.receiptUrl) && [
          orderTexts.receipt,
          <a key="receipt" href={payment.receiptUrl} target="_blank" rel="noreferrer">
            {orderTexts.openReceipt}
          </a>,
        ],
      ]}
    />
  );
}

/** A web address, not `javascript:`. */
function isSecure(address: string | null): address is string {
  return address !== null && /^https?:\/\//.test(address);
}
