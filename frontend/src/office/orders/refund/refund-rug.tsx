import { DownOutlined } from '@ant-design/icons';
import type { OrderItem } from '@kilim/bff/contract/orders';
import { tierOffers } from '@kilim/domain/catalog';
import { formatDollars } from '@kilim/domain/money';
import { noRugCharges, rugTotal } from '@kilim/domain/order/refund-allocation';
import { rugChargeNames } from '@kilim/domain/quote';
import { Button, Checkbox } from 'antd';
import { useId, useState } from 'react';
import { sizeText } from '../rugs-table.tsx';
import { type ChargeName, chosenCharges, taxOfAddOns } from './chosen-lines.ts';
import styles from './refund-dialog.module.css';
import type { FormEdit, Refundable, RefundForm } from './refund-form.ts';
import { refundTexts } from './texts.ts';

type RefundRugProps = {
  readonly item: OrderItem;
  readonly rugIndex: number;
  readonly form: RefundForm;
  readonly left: Refundable;
  readonly onEdit: (edit: FormEdit) => void;
};

/** Charges can be chosen one by one; the only rug of an order shows them at first. */
export function RefundRug({ item, rugIndex, form, left, onEdit }: RefundRugProps) {
  const [isOpen, setOpen] = useState(left.paid.length === 1);
  const sizeId = useId();
  const paid = left.paid[rugIndex] ?? noRugCharges;
  const total = rugTotal(left.charges.rugs[rugIndex] ?? noRugCharges);
  const names = rugChargeNames.filter((name) => paid[name] > 0);
  const isWhole = form.rugs.includes(rugIndex);
  const isPart = form.charges.some((charge) => charge.rugIndex === rugIndex);
  const hasCharges = names.length > 1 && total > 0;
  const rugName = rugIndex + 1;
  return (
    <div className={styles.line} data-open={(hasCharges && isOpen) || undefined}>
      <div className={styles.chip}>
        <Checkbox
          aria-describedby={sizeId}
          checked={isWhole}
          indeterminate={isPart}
          disabled={total <= 0}
          onChange={({ target }) => onEdit({ field: 'rug', rugIndex, chosen: target.checked })}
        >
          {refundTexts.rug(rugName, formatDollars(total))}
        </Checkbox>
        {hasCharges && (
          <Button
            type="text"
            aria-expanded={isOpen}
            aria-label={refundTexts.chargesOf(rugName)}
            title={refundTexts.chargesOf(rugName)}
            icon={<DownOutlined aria-hidden="true" rotate={isOpen ? 180 : 0} />}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        <p className={styles.size} id={sizeId}>
          {`${sizeText(item)}, ${tierOffers[item.serviceTier].name}`}
        </p>
      </div>
      {hasCharges && isOpen && (
        <fieldset className={styles.charges} aria-label={refundTexts.chargesOf(rugName)}>
          {names.map((name) => (
            <ChargeLine key={name} name={name} rugIndex={rugIndex} form={form} left={left} onEdit={onEdit} />
          ))}
        </fieldset>
      )}
    </div>
  );
}

type ChargeLineProps = Omit<RefundRugProps, 'item'> & { readonly name: ChargeName };

/** The sales tax is chosen with its add-ons, and can be chosen without them. */
function ChargeLine({ name, rugIndex, form, left, onEdit }: ChargeLineProps) {
  const rest = left.charges.rugs[rugIndex] ?? noRugCharges;
  const chosen = chosenCharges(form, left, rugIndex);
  const broughtTax = name === 'salesTax' ? taxOfAddOns(left, rugIndex, chosen) : 0;
  const isBrought = broughtTax > 0 && broughtTax === rest.salesTax;
  const isChosen = chosen.includes(name) || isBrought;
  return (
    <Checkbox
      checked={isChosen}
      indeterminate={!isChosen && broughtTax > 0}
      disabled={rest[name] <= 0 || isBrought}
      onChange={({ target }) => onEdit({ field: 'charge', rugIndex, charge: name, chosen: target.checked })}
    >
      {chargeText(name, left, rugIndex)}
    </Checkbox>
  );
}

function chargeText(name: ChargeName, left: Refundable, rugIndex: number): string {
  const amount = formatDollars((left.charges.rugs[rugIndex] ?? noRugCharges)[name]);
  const tax = taxOfAddOns(left, rugIndex, [name]);
  const label = refundTexts.charges[name];
  return tax === 0 ? refundTexts.charge(label, amount) : refundTexts.taxedCharge(label, amount, formatDollars(tax));
}
