import { type Cents, formatDollars } from '@kilim/domain/money';
import { type WaiverReason, waiverReasons } from '@kilim/domain/order/events';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import cards from '../../shared/ui/card.module.css';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { SelectField } from '../../shared/ui/field.tsx';
import { intakeTexts as texts } from './texts.ts';

type WaiveDialogProps = {
  readonly amount: Cents;
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly onWaive: (reason: WaiverReason) => void;
  readonly onClose: () => void;
};

export function WaiveDialog({ amount, busy, problem, onWaive, onClose }: WaiveDialogProps) {
  const [reason, setReason] = useState<WaiverReason | ''>('');
  const [isChecked, setIsChecked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!busy && reason !== '') onWaive(reason);
  };
  return (
    <Dialog title={texts.waiveTitle(formatDollars(amount))} onClose={busy ? undefined : onClose}>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
        <SelectField
          label={texts.why}
          error={isChecked && reason === '' ? texts.missingReason : undefined}
          value={reason}
          options={[['', texts.choose], ...waiverReasons.map((each) => [each, texts.reasons[each]] as const)]}
          onChoose={setReason}
        />
        <div className={cards.buttons}>
          <Button disabled={busy} onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {texts.waive}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
