import type { OrderDetail, OrderItem } from '@kilim/bff/contract/orders';
import { tierOffers } from '@kilim/domain/catalog';
import { formatDollars } from '@kilim/domain/money';
import type { MeasuredSize } from '@kilim/domain/order/events';
import { formatSize, side } from '@kilim/domain/rug';
import { orderNumberText } from '../../shared/order-number.ts';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { dueOf } from './due-text.ts';
import { orderTexts } from './texts.ts';

type Row = OrderItem & { readonly index: number; readonly due: string };

const columns: readonly Column<Row>[] = [
  { title: orderTexts.rug, render: ({ index }) => `#${index + 1}` },
  { title: orderTexts.size, render: sizeText },
  {
    title: orderTexts.tier,
    render: ({ serviceTier }) => <Badge tone={serviceTier}>{tierOffers[serviceTier].name}</Badge>,
  },
  { title: orderTexts.area, render: ({ area }) => orderTexts.squareFeet(area.toFixed(2)) },
  { title: orderTexts.addOns, render: (item) => addOnsOf(item) || orderTexts.missing },
  { title: orderTexts.due, render: ({ due }) => due },
  { title: orderTexts.cost, align: 'right', render: ({ totalCost }) => formatDollars(totalCost) },
];

export function RugsTable({ detail: { order, items } }: { readonly detail: OrderDetail }) {
  const { timeZone } = usePageData().config.business;
  const rows = items.map((item, index) => ({ ...item, index, due: dueOf(order, item.serviceTier, timeZone) }));
  return <DataTable label={orderTexts.rugs} columns={columns} rows={rows} rowKey={({ index }) => index} />;
}

/** `K7QM-4XPT-1` @param index from 0 */
export function rugNumberText(orderId: string, index: number): string {
  return `${orderNumberText(orderId)}-${index + 1}`;
}

export function orderedSize({ widthFeet, widthInches, lengthFeet, lengthInches }: OrderItem): MeasuredSize {
  return { width: side(widthFeet, widthInches), length: side(lengthFeet, lengthInches) };
}

export function sizeText(item: OrderItem): string {
  return formatSize(orderedSize(item));
}

/** @returns undefined until the rug is received. */
export function measuredText({ measured }: OrderItem): string | undefined {
  return measured === null ? undefined : formatSize(measured as MeasuredSize);
}

export function addOnsOf({ stainProtection, mothProtection, repairInspection }: OrderItem): string {
  return [
    stainProtection && orderTexts.stainProtection,
    mothProtection && orderTexts.greenPad,
    repairInspection && orderTexts.repairInspection,
  ]
    .filter(Boolean)
    .join(', ');
}
