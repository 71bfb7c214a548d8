import type { Intake } from '@kilim/bff/contract/intake';
import type { OrderDetail } from '@kilim/bff/contract/orders';
import { formatDay } from '@kilim/domain/format-day';
import { decimalDollars, formatDollars } from '@kilim/domain/money';
import { type MeasuredSize, shopPaymentMethods, waiverReasons } from '@kilim/domain/order/events';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { orderNumberText } from '../../../shared/order-number.ts';
import { usePageData } from '../../../shared/page-data.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { useMay } from '../../shared/session/current-session.tsx';
import cards from '../../shared/ui/card.module.css';
import { Card } from '../../shared/ui/card.tsx';
import { dayText, isoDay } from '../../shared/ui/format.ts';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { ChoiceDialog } from './choice-dialog.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { intakeQuery } from './intake-calls.ts';
import { ReceiveDialog } from './receive-dialog.tsx';
import { intakeTexts as texts } from './texts.ts';
import { type IntakeSteps, useIntakeSteps } from './use-intake-steps.ts';

/** Where the rugs of a paid order are, and what their measures change. */
export function IntakeCard({ detail }: { readonly detail: OrderDetail }) {
  const query = useQuery(intakeQuery(detail.order._id));
  return (
    <Card title={texts.title}>
      <Loaded query={query} loading={texts.loading} failed={texts.loadFailed}>
        {(intake) => <OpenIntake detail={detail} intake={intake} />}
      </Loaded>
    </Card>
  );
}

type IntakeProps = { readonly detail: OrderDetail; readonly intake: Intake };

function OpenIntake({ detail, intake }: IntakeProps) {
  const mayReceive = useMay('receiveRugs');
  const steps = useIntakeSteps(detail.order._id);
  const { measurement, stage, supplements } = intake;
  const { timeZone } = usePageData().config.business;
  return (
    <div className={cards.stack}>
      <p>{texts.sentences[stage]}</p>
      {measurement !== null && <DifferenceTable detail={detail} measured={measurement} />}
      {supplements.map(({ _id, amount, paidAt, isPaidInShop, refundable }) => (
        <p key={_id}>
          {texts.paidMore(formatDollars(amount), dayText(paidAt, timeZone), isPaidInShop)}{' '}
          <Link to="/admin/orders/$orderId" params={{ orderId: _id }}>
            {orderNumberText(_id)}
          </Link>
          {/* The customer of an order that was refunded in full expects this money too. */}
          {detail.order.remainingRefundable === 0 &&
            refundable > 0 &&
            ` ${texts.notRefunded(formatDollars(refundable))}`}
        </p>
      ))}
      {measurement !== null && <DueSentence detail={detail} intake={intake} measurement={measurement} />}
      {steps.problem !== undefined && <Alert type="error" role="alert" showIcon title={steps.problem} />}
      {mayReceive && <Actions detail={detail} intake={intake} steps={steps} />}
      {steps.prompt}
    </div>
  );
}

type Measured = { readonly intake: Intake; readonly measurement: NonNullable<Intake['measurement']> };

function DueSentence({ detail: { order }, intake: { request, supplements }, measurement }: IntakeProps & Measured) {
  const { timeZone } = usePageData().config.business;
  const { due, refund, isSmall, isWaived } = measurement;
  const amount = formatDollars(due < 0 ? ((0 - due) as typeof due) : due);
  if (due === 0) return <p>{texts.same}</p>;
  if (due < 0) {
    const left = [order.remainingRefundable, ...supplements.map(({ refundable }) => refundable)];
    if (refund !== null) return <p>{texts.gives(amount)}</p>;
    if (left.every((rest) => rest === 0)) return <p>{texts.nothingLeft(amount)}</p>;
    const isOpen = order.remainingRefundable > 0;
    return <p>{texts.lessBut(amount, (isOpen && order.refundBlock?.message) || texts.giveBack)}</p>;
  }
  if (request !== null) {
    const isOver = request.expiresOn < isoDay(new Date(), timeZone);
    return <p>{texts.askedFor(formatDollars(request.amount), formatDay(request.expiresOn), isOver)}</p>;
  }
  if (isWaived) return <p>{texts.waived(amount)}</p>;
  return <p>{isSmall ? texts.small(amount) : texts.owes(amount)}</p>;
}

type ActionsProps = IntakeProps & { readonly steps: IntakeSteps };

/** The next step first. */
function Actions({ detail, intake, steps }: ActionsProps) {
  const [isMeasuring, setIsMeasuring] = useState(false);
  const { stage, measurement, undoable } = intake;
  const sizes = measurement?.rugs.map(({ size }) => size as MeasuredSize);
  return (
    <>
      {measurement !== null && <MoneyActions detail={detail} intake={intake} measurement={measurement} steps={steps} />}
      <div className={cards.tools}>
        {stage === 'waiting' && (
          <Button type="primary" size="large" onClick={() => setIsMeasuring(true)}>
            {texts.receive}
          </Button>
        )}
        {stage === 'received' && (
          <Button type={isSettled(intake) ? 'primary' : 'default'} onClick={() => steps.record({ step: 'ready' })}>
            {texts.ready}
          </Button>
        )}
        {stage === 'ready' && (
          <Button type="primary" onClick={() => steps.record({ step: 'hand-over' })}>
            {texts.handOver}
          </Button>
        )}
        {(stage === 'received' || stage === 'ready') && (
          <>
            <Button onClick={() => setIsMeasuring(true)}>{texts.again}</Button>
            <TextCustomer detail={detail} label={texts.smsOf[stage]} message={texts.message[stage]} />
          </>
        )}
        {undoable.map((undoes) => (
          <Button key={undoes} type="text" onClick={() => steps.record({ step: 'undo', undoes })}>
            {texts.undo[undoes]}
          </Button>
        ))}
      </div>
      {isMeasuring && (
        <ReceiveDialog
          detail={detail}
          measured={sizes}
          measuring={intake.measuring}
          busy={steps.busy}
          problem={steps.problem}
          onSave={(request) => steps.record(request, () => setIsMeasuring(false))}
          onClose={() => setIsMeasuring(false)}
        />
      )}
    </>
  );
}

/** Nobody owes anything. */
function isSettled({ measurement }: Intake): boolean {
  return measurement !== null && (measurement.due === 0 || measurement.isSmall || measurement.isWaived);
}

function MoneyActions({ detail, intake, measurement, steps }: Measured & ActionsProps) {
  const [isWaiving, setIsWaiving] = useState(false);
  const mayRefund = useMay('refund');
  const { request } = intake;
  const { number, due, refund, isSmall, isWaived } = measurement;
  const seen = { measurement: number, amount: decimalDollars(due) };
  if (request !== null) return <OpenRequest detail={detail} request={request} steps={steps} />;
  if (due < 0) {
    if (refund === null || !mayRefund) return null;
    return (
      <div className={cards.tools}>
        <Button type="primary" loading={steps.busy} onClick={() => steps.refund(measurement)}>
          {texts.refund(formatDollars(refund))}
        </Button>
      </div>
    );
  }
  if (due === 0 || isWaived) return null;
  const ask = () => steps.record({ step: 'ask', ...seen }, () => showToast(texts.askedToast));
  return (
    <div className={cards.tools}>
      <Button type={isSmall ? 'default' : 'primary'} loading={steps.busy} onClick={ask}>
        {isSmall ? texts.askAnyway : texts.ask(formatDollars(due))}
      </Button>
      {!isSmall && <Button onClick={() => setIsWaiving(true)}>{texts.waive}</Button>}
      {isWaiving && (
        <ChoiceDialog
          title={texts.waiveTitle(formatDollars(due))}
          label={texts.why}
          options={waiverReasons.map((reason) => [reason, texts.reasons[reason]] as const)}
          action={texts.waive}
          busy={steps.busy}
          problem={steps.problem}
          onChoose={(reason) => steps.record({ step: 'waive', reason, ...seen }, () => setIsWaiving(false))}
          onClose={() => setIsWaiving(false)}
        />
      )}
    </div>
  );
}

type OpenRequestProps = Pick<ActionsProps, 'detail' | 'steps'> & { readonly request: NonNullable<Intake['request']> };

function OpenRequest({ detail, request: { url, amount }, steps }: OpenRequestProps) {
  const [isPaying, setIsPaying] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    showToast(texts.copied);
  };
  return (
    <div className={cards.tools}>
      <Button type="primary" onClick={() => void copy()}>
        {texts.copy}
      </Button>
      <TextCustomer
        detail={detail}
        label={texts.smsOf.asked}
        message={(shop, number) => texts.message.asked(shop, number, { amount: formatDollars(amount), link: url })}
      />
      <Button onClick={() => setIsPaying(true)}>{texts.paidInShop}</Button>
      <Button onClick={() => steps.record({ step: 'withdraw' })}>{texts.withdraw}</Button>
      {isPaying && (
        <ChoiceDialog
          title={texts.paidInShopTitle(formatDollars(amount))}
          label={texts.paidHow}
          options={shopPaymentMethods.map((method) => [method, texts.methods[method]] as const)}
          action={texts.save}
          referenceLabel={texts.paidNumber}
          busy={steps.busy}
          problem={steps.problem}
          onChoose={(method, reference) =>
            steps.record({ step: 'paid', amount: decimalDollars(amount), method, reference }, () => setIsPaying(false))
          }
          onClose={() => setIsPaying(false)}
        />
      )}
    </div>
  );
}

type TextCustomerProps = {
  readonly detail: OrderDetail;
  readonly label: string;
  readonly message: (shop: string, number: string) => string;
};

/** Opens the telephone's own app with the words filled in. Nothing when there is no number to text. */
function TextCustomer({ detail: { order }, label, message }: TextCustomerProps) {
  const { name } = usePageData().config.business;
  const phone = order.customerInfo?.phone ?? '';
  if (!/^\d{10}$/.test(phone)) return null;
  const body = encodeURIComponent(message(name, orderNumberText(order._id)));
  return <Button href={`sms:+1${phone}?&body=${body}`}>{label}</Button>;
}
