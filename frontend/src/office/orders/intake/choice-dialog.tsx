import { parseReference } from '@kilim/domain/order/reimbursement';
import { Alert } from 'antd';
import { type FormEvent, useState } from 'react';
import cards from '../../shared/ui/card.module.css';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { DialogButtons } from '../../shared/ui/dialog-buttons.tsx';
import { SelectField, TextField } from '../../shared/ui/field.tsx';
import { intakeTexts as texts } from './texts.ts';

type ChoiceDialogProps<Choice extends string> = {
  readonly title: string;
  readonly label: string;
  readonly options: readonly (readonly [Choice, string])[];
  readonly action: string;
  /** Of a number that may be given as well. */
  readonly referenceLabel?: string;
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly onChoose: (choice: Choice, reference: string | undefined) => void;
  readonly onClose: () => void;
};

export function ChoiceDialog<Choice extends string>(props: ChoiceDialogProps<Choice>) {
  const { title, label, options, action, referenceLabel, busy, problem, onChoose, onClose } = props;
  const [choice, setChoice] = useState<Choice | ''>('');
  const [reference, setReference] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const isUnreadable = reference.trim() !== '' && parseReference(reference) === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!busy && choice !== '' && !isUnreadable) onChoose(choice, parseReference(reference));
  };
  return (
    <Dialog title={title} onClose={busy ? undefined : onClose}>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
        <SelectField
          label={label}
          error={isChecked && choice === '' ? texts.missingChoice : undefined}
          value={choice}
          options={[['', texts.choose], ...options]}
          onChoose={setChoice}
        />
        {referenceLabel !== undefined && (
          <TextField
            label={referenceLabel}
            value={reference}
            autoComplete="off"
            error={isChecked && isUnreadable ? texts.badReference : undefined}
            onText={setReference}
          />
        )}
        <DialogButtons busy={busy} onCancel={onClose}>
          {action}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
