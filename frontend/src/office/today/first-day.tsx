import { CheckCircleOutlined } from '@ant-design/icons';
import { type FirstDayAnswer, firstDay as firstDayAnswer } from '@kilim/bff/contract/first-day';
import { type FirstDayStep, type SettleableStep, settleableSteps } from '@kilim/domain/settings/first-day';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { call } from '../../shared/call.ts';
import { usePageData } from '../../shared/page-data.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { useMay } from '../shared/session/current-session.tsx';
import { type AdminSettings, settingsKey, settingsQuery } from '../shared/settings/settings-calls.ts';
import { useSaveFields } from '../shared/settings/use-save-fields.ts';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import needs from './needs-you.module.css';
import { firstDayTexts as texts } from './texts.ts';
import rows from './today.module.css';

/** Steps are done in other tabs, too. */
const askSoonMilliseconds = 5_000;

const firstDayQuery = queryOptions({
  ...adminQuery([...settingsKey, 'first-day'], call('GET /api/admin/first-day', { answer: firstDayAnswer })),
  refetchInterval: ({ state: { data } }) => (data === undefined || isOver(data) ? false : askSoonMilliseconds),
});

function isOver({ isHidden, steps }: FirstDayAnswer): boolean {
  return isHidden || steps.every(({ isDone }) => isDone);
}

/** Undefined when it is over. Its absence changes nothing else, so it neither waits nor fails aloud. */
export function useFirstDay(): FirstDayProps | undefined {
  const { data: firstDay } = useQuery({ ...firstDayQuery, enabled: useMay('readSettings') });
  const isOpen = firstDay !== undefined && !isOver(firstDay);
  const { data: saved } = useQuery({ ...settingsQuery, enabled: isOpen, refetchInterval: askSoonMilliseconds });
  return isOpen && saved && !saved.firstDay.isHidden ? { firstDay, saved } : undefined;
}

type FirstDayProps = { readonly firstDay: FirstDayAnswer; readonly saved: AdminSettings };

/** What is left to do until the shop can open. */
export function FirstDay({ firstDay, saved: { version, firstDay: chosen } }: FirstDayProps) {
  const { busy, prompt, failure, save } = useSaveFields();
  const steps = firstDay.steps.map(({ step, isDone }) => ({
    step,
    // An answer to a save says it before the list is loaded again.
    isDone: isDone || chosen.settled.some((settled) => settled === step),
  }));
  const count = steps.filter(({ isDone }) => isDone).length;
  const settle = (step: SettleableStep) =>
    save({ firstDay: { ...chosen, settled: [...chosen.settled, step] } }, version);
  return (
    <div className={rows.screen}>
      <Card
        title={texts.heading}
        note={<span role="status">{texts.done(count, steps.length)}</span>}
        actions={
          <Button disabled={busy} onClick={() => save({ firstDay: { ...chosen, isHidden: true } }, version)}>
            {texts.hide}
          </Button>
        }
      >
        {failure !== undefined && (
          <Alert type="error" role="alert" showIcon title={failure.message || officeTexts.failed} />
        )}
        <ol className={rows.rows} aria-label={texts.heading}>
          {steps.map(({ step, isDone }) => (
            <li key={step} tabIndex={-1} className={classNames(rows.row, needs.step)}>
              {isDone ? <Done step={step} /> : <Open step={step} firstDay={firstDay} busy={busy} onSettle={settle} />}
            </li>
          ))}
        </ol>
        {prompt}
      </Card>
    </div>
  );
}

function Done({ step }: { readonly step: FirstDayStep }) {
  return (
    <>
      <p className={cards.soft}>{texts.steps[step][0]}</p>
      <p className={needs.done}>
        <CheckCircleOutlined aria-hidden="true" /> {texts.mark}
      </p>
    </>
  );
}

type OpenProps = {
  readonly step: FirstDayStep;
  readonly firstDay: FirstDayAnswer;
  readonly busy: boolean;
  readonly onSettle: (step: SettleableStep) => void;
};

function Open({ step, firstDay, busy, onSettle }: OpenProps) {
  const [sentence] = texts.steps[step];
  // A mail that can be sent shows more than an owner's word.
  const canShow = step === 'mail' && firstDay.mailTo !== null;
  const settleable = canShow ? undefined : settleableSteps.find((each) => each === step);
  return (
    <>
      <div>
        <p>{sentence}</p>
        <Hint step={step} firstDay={firstDay} />
      </div>
      <div className={rows.actions}>
        <Way step={step} firstDay={firstDay} />
        {settleable !== undefined && (
          <Button
            disabled={busy}
            aria-label={step === 'mail' ? undefined : texts.rightOf(sentence)}
            onClick={() => onSettle(settleable)}
          >
            {step === 'mail' ? texts.withoutMails : texts.right}
          </Button>
        )}
      </div>
    </>
  );
}

type StepProps = Pick<OpenProps, 'step' | 'firstDay'>;

function Hint({ step, firstDay: { mailTo, isMailWaiting } }: StepProps) {
  const { environment } = usePageData().config.square;
  if (step === 'order')
    return <p className={cards.soft}>{environment === 'production' ? texts.ownCard : texts.testCard}</p>;
  if (step === 'shop') return <p className={cards.soft}>{texts.shopMissing}</p>;
  if (step !== 'mail') return null;
  if (mailTo === null) return <p className={cards.soft}>{texts.noMails}</p>;
  return (
    <p className={cards.soft} role="status">
      {texts.mailTo(mailTo)} {isMailWaiting && texts.mailWaits}
    </p>
  );
}

/** To where the step is done. */
function Way({ step, firstDay: { mailTo, shopUrl, isMailWaiting } }: StepProps) {
  const [, way] = texts.steps[step];
  switch (step) {
    case 'order':
      return (
        <Button href={shopUrl} target="_blank" rel="noreferrer">
          {way}
        </Button>
      );
    case 'mail':
      return mailTo !== null && <SendMail isWaiting={isMailWaiting} />;
    case 'password':
      return (
        <Link to="/admin/password" className={needs.open}>
          {way}
        </Link>
      );
    case 'prices':
      return (
        <Link to="/admin/settings" className={needs.open}>
          {way}
        </Link>
      );
    default:
      return (
        <Link to="/admin/settings/$part" params={{ part: step }} className={needs.open}>
          {way}
        </Link>
      );
  }
}

function SendMail({ isWaiting }: { readonly isWaiting: boolean }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const send = async () => {
    setBusy(true);
    const outcome = await outcomeOf(call('POST /api/admin/first-day/mail'));
    setBusy(false);
    setProblem(outcome.kind === 'failed' ? outcome.message || officeTexts.failed : undefined);
    void queryClient.invalidateQueries({ queryKey: firstDayQuery.queryKey });
  };
  return (
    <>
      {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
      <Button loading={busy} disabled={isWaiting} onClick={() => void send()}>
        {texts.steps.mail[1]}
      </Button>
    </>
  );
}
