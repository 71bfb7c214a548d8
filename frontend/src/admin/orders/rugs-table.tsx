import type { OrderItem } from '@kilim/bff/contract/orders';
import { tierOffers } from '@kilim/domain/catalog';
import { formatDollars } from '@kilim/domain/money';
import { Badge } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { orderTexts } from './texts.ts';

type Row = OrderItem & { readonly index: number };

const columns: readonly Column<Row>[] = [
  { title: orderTexts.rug, render: ({ index }) => `#${index + 1}` },
  {
    title: orderTexts.size,
    render: ({ width, length, unit }) => `${sideText(width)} x ${sideText(length)} ${unit}`,
  },
  {
    title: orderTexts.tier,
    render: ({ serviceTier }) => <Badge tone={serviceTier}>{tierOffers[serviceTier].name}</Badge>,
  },
  { title: orderTexts.area, render: ({ area }) => orderTexts.squareFeet(area.toFixed(2)) },
  { title: orderTexts.addOns, render: (item) => addOnsOf(item) || orderTexts.missing },
  { title: orderTexts.cost, align: 'right', render: ({ totalCost }) => formatDollars(totalCost) },
];

export function RugsTable({ items }: { readonly items: readonly OrderItem[] }) {
  const rows = items.map((item, index) => ({ ...item, index }));
  return <DataTable label={orderTexts.rugs} columns={columns} rows={rows} rowKey={({ index }) => index} />;
}

/** Decimal feet without trailing zeros: `8`, `5.5`, `5.08`. */
function sideText(side: number): string {
  return String(Number(side.toFixed(2)));
}

function addOnsOf({ stainProtection, mothProtection, repairInspection }: OrderItem): string {
  return [
    stainProtection && orderTexts.stainProtection,
    mothProtection && orderTexts.greenPad,
    repairInspection && orderTexts.repairInspection,
  ]
    .filter(Boolean)
    .join(', ');
}
