import { refundingRoles, refundLimitNames } from '@kilim/domain/people/refund-limits';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { type AdminSettings, settingsQuery } from '../shared/settings/settings-calls.ts';
import { useSaveFields } from '../shared/settings/use-save-fields.ts';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import styles from './people.module.css';
import { limitTexts } from './texts.ts';

export function RefundLimitsCard() {
  const query = useQuery({ ...settingsQuery, refetchOnWindowFocus: false });
  return (
    <Card title={limitTexts.heading} note={limitTexts.note}>
      <Loaded query={query} loading={limitTexts.loading} failed={limitTexts.loadFailed}>
        {/* Another owner's limits replace the typed ones. */}
        {(saved) => saved && <RefundLimitsForm key={JSON.stringify(saved.refundLimits)} saved={saved} />}
      </Loaded>
    </Card>
  );
}

type Typed = Record<(typeof refundingRoles)[number], Record<(typeof refundLimitNames)[number], string>>;

function RefundLimitsForm({ saved: { version, refundLimits } }: { readonly saved: AdminSettings }) {
  const { busy, prompt, failure, save } = useSaveFields(limitTexts);
  const [typed, setTyped] = useState(() => textsOf(refundLimits));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ refundLimits: withoutSigns(typed) }, version);
  };
  const fields = failure?.fields ?? {};
  return (
    <>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {failure !== undefined && Object.keys(fields).length === 0 && (
          <Alert type="error" role="alert" showIcon title={failure.message || officeTexts.failed} />
        )}
        {refundingRoles.map((role) => (
          <fieldset key={role} disabled={busy} className={styles.limits}>
            <legend className={cards.legend}>{officeTexts.roles[role]}</legend>
            {refundLimitNames.map((limit) => (
              <TextField
                key={limit}
                label={limitTexts.names[limit]}
                error={fields[`refundLimits.${role}.${limit}`]}
                prefix="$"
                inputMode="decimal"
                autoComplete="off"
                value={typed[role][limit]}
                onText={(text) => setTyped({ ...typed, [role]: { ...typed[role], [limit]: text } })}
              />
            ))}
          </fieldset>
        ))}
        <p className={cards.soft}>{limitTexts.raising}</p>
        <div>
          <Button htmlType="submit" loading={busy}>
            {limitTexts.save}
          </Button>
        </div>
      </form>
      {prompt}
    </>
  );
}

function textsOf(limits: AdminSettings['refundLimits']): Typed {
  return mapped((role, limit) => limits[role][limit].toFixed(2));
}

function withoutSigns(typed: Typed): Typed {
  return mapped((role, limit) => typed[role][limit].replaceAll(/[$,\s\p{Cf}]/gu, ''));
}

function mapped(text: (role: keyof Typed, limit: (typeof refundLimitNames)[number]) => string): Typed {
  const ofRole = (role: keyof Typed) => ({
    perRefund: text(role, 'perRefund'),
    perPersonAndDay: text(role, 'perPersonAndDay'),
    perShopAndDay: text(role, 'perShopAndDay'),
  });
  return { owner: ofRole('owner'), clerk: ofRole('clerk') };
}
