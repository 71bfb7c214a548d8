import {
  type AgreedPickup,
  type FreePickupDay,
  freePickupDays,
  type PickupRequest,
} from '@kilim/bff/contract/pickup-plan';
import type { CustomerInfo } from '@kilim/bff/contract/quote';
import type { PickupWindow } from '@kilim/domain/contact';
import { formatPickup, formatWeekday } from '@kilim/domain/format-day';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert } from 'antd';
import { type FormEvent, useState } from 'react';
import { call } from '../../../shared/call.ts';
import { orderNumberText } from '../../../shared/order-number.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { adminQuery } from '../api/admin-query.ts';
import { outcomeOf } from '../api/outcome.ts';
import { moneyKey } from '../api/query-keys.ts';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { DialogButtons, OpenButton } from '../ui/dialog-buttons.tsx';
import { SelectField } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { pickupTexts as texts } from './texts.ts';
import { wishText } from './wish-text.ts';

export type PickupOfOrder = {
  readonly _id: string;
  readonly customerInfo: CustomerInfo | null;
  readonly agreedPickup: AgreedPickup | null;
};

/** @param label of the button, until a day is agreed. */
export function AgreePickup({ order, label: first }: { readonly order: PickupOfOrder; readonly label: string }) {
  const label = order.agreedPickup === null ? first : texts.again;
  return (
    <OpenButton text={label} label={`${label}, ${orderNumberText(order._id)}`}>
      {(close) => <AgreeDialog order={order} onClose={close} />}
    </OpenButton>
  );
}

type DialogProps = { readonly order: PickupOfOrder; readonly onClose: () => void };

function AgreeDialog({ order, onClose }: DialogProps) {
  const query = useQuery({ ...freeDaysQuery(order._id), refetchOnWindowFocus: false });
  return (
    <Dialog title={texts.title(orderNumberText(order._id))} onClose={onClose}>
      <Loaded query={query} loading={texts.loading} failed={texts.loadFailed}>
        {({ days }) => <AgreeForm order={order} days={days} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

type Choice = { readonly day: string; readonly window: PickupWindow | '' };
type Problems = { readonly day?: string; readonly window?: string; readonly refusal?: string };

function AgreeForm({ order, days, onClose }: DialogProps & { readonly days: readonly FreePickupDay[] }) {
  const queryClient = useQueryClient();
  const [choice, setChoice] = useState(() => firstChoice(order, days));
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const { customerInfo: customer } = order;
  const free = days.find(({ day }) => day === choice.day);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { window } = choice;
    if (busy) return;
    if (free === undefined || window === '') {
      return setProblems({
        ...(free === undefined ? { day: texts.missingDay } : {}),
        ...(window === '' ? { window: texts.missingWindow } : {}),
      });
    }
    setBusy(true);
    const outcome = await agreePickup(order._id, { day: free.day, window });
    setBusy(false);
    if (outcome.kind === 'failed') return setProblems({ refusal: outcome.message || texts.failed });
    if (outcome.kind !== 'done') return;
    showToast(texts.saved(formatPickup({ day: free.day, window })));
    void queryClient.invalidateQueries({ queryKey: moneyKey });
    onClose();
  };
  if (days.length === 0) return <p>{texts.noDays}</p>;
  const isWishFree = customer?.pickupDay === '' || days.some(({ day }) => day === customer?.pickupDay);
  return (
    <form className={cards.stack} onSubmit={(event) => void submit(event)} noValidate>
      {problems.refusal !== undefined && <Alert type="error" role="alert" showIcon title={problems.refusal} />}
      <p>
        {texts.wish(customer?.name, wishText(customer, texts.noWishInSentence))} {!isWishFree && texts.notFree}
      </p>
      <SelectField
        label={texts.day}
        error={problems.day}
        value={choice.day}
        options={[['', texts.choose], ...days.map(({ day }) => [day, formatWeekday(day)] as const)]}
        onChoose={(day) => setChoice(choiceOn(days, { day, window: choice.window }))}
      />
      <SelectField
        label={texts.window}
        error={problems.window}
        value={choice.window}
        options={[['', texts.choose], ...(free?.windows ?? []).map((each) => [each, texts.windows[each]] as const)]}
        onChoose={(window) => setChoice({ ...choice, window })}
      />
      <DialogButtons busy={busy} onCancel={onClose}>
        {texts.save}
      </DialogButtons>
    </form>
  );
}

/** What was agreed or wished, if the shop can do it. */
function firstChoice({ agreedPickup, customerInfo }: PickupOfOrder, days: readonly FreePickupDay[]): Choice {
  const { day = customerInfo?.pickupDay ?? '', window = customerInfo?.pickupWindow ?? '' } = agreedPickup ?? {};
  return choiceOn(days, { day, window });
}

function choiceOn(
  days: readonly FreePickupDay[],
  { day, window }: { readonly day: string; readonly window: string },
): Choice {
  const windows = days.find((free) => free.day === day)?.windows;
  if (windows === undefined) return { day: '', window: '' };
  const only = windows.length === 1 ? windows[0] : undefined;
  return { day, window: windows.find((each) => each === window) ?? only ?? '' };
}

/** No change elsewhere loads it again: a day must not leave under the finger. */
function freeDaysQuery(orderId: string) {
  return adminQuery(
    ['admin', 'pickup-days', orderId],
    call('GET /api/admin/orders/:id/pickup-days', { params: { id: orderId }, answer: freePickupDays }),
  );
}

function agreePickup(orderId: string, body: PickupRequest) {
  return outcomeOf(call('POST /api/admin/orders/:id/pickup', { params: { id: orderId }, body }));
}
