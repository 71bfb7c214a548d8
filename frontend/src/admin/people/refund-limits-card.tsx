import { type RefundLimitsAnswer, type RefundLimitsRequest, refundLimits } from '@kilim/bff/contract/refund-limits';
import { refundingRoles, refundLimitNames } from '@kilim/domain/admin/refund-limits';
import { decimalDollars } from '@kilim/domain/money';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { call } from '../../shared/call.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { adminQuery } from '../api/admin-query.ts';
import { type Failed, outcomeOf } from '../api/outcome.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './people.module.css';
import { limitTexts, peopleTexts } from './texts.ts';

const refundLimitsQuery = adminQuery(
  ['admin', 'refund-limits'],
  call('GET /api/admin/refund-limits', { answer: refundLimits }),
);

function saveRefundLimits(body: RefundLimitsRequest) {
  return outcomeOf(call('POST /api/admin/refund-limits', { body, answer: refundLimits }));
}

/** The limits on refunds, for owners. */
export function RefundLimitsCard() {
  const query = useQuery({ ...refundLimitsQuery, refetchOnWindowFocus: false });
  return (
    <Card title={limitTexts.heading} note={limitTexts.note}>
      <Loaded query={query} loading={limitTexts.loading} failed={limitTexts.loadFailed}>
        {/* Limits that another owner has saved replace the typed ones. */}
        {(saved) => <RefundLimitsForm key={saved.version} saved={saved} />}
      </Loaded>
    </Card>
  );
}

type Typed = Record<(typeof refundingRoles)[number], Record<(typeof refundLimitNames)[number], string>>;

function RefundLimitsForm({ saved: { version, limits } }: { readonly saved: RefundLimitsAnswer }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate<RefundLimitsAnswer>(limitTexts.password);
  const [typed, setTyped] = useState(() => textsOf(limits));
  const [failure, setFailure] = useState<Failed>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(undefined);
    attempt({
      call: () => saveRefundLimits({ version, limits: withoutSigns(typed) }),
      onDone: (now) => {
        showToast({ title: limitTexts.saved });
        queryClient.setQueryData(refundLimitsQuery.queryKey, now);
      },
      onFailed: setFailure,
    });
  };
  const fields = failure?.fields ?? {};
  return (
    <>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {failure !== undefined && Object.keys(fields).length === 0 && (
          <Alert type="error" role="alert" showIcon title={failure.message || peopleTexts.failed} />
        )}
        {refundingRoles.map((role) => (
          <fieldset key={role} disabled={busy} className={styles.limits}>
            <legend className={styles.legend}>{peopleTexts.roles[role]}</legend>
            {refundLimitNames.map((limit) => (
              <TextField
                key={limit}
                label={limitTexts.names[limit]}
                error={fields[`limits.${role}.${limit}`]}
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

function textsOf(limits: RefundLimitsAnswer['limits']): Typed {
  return mapped((role, limit) => decimalDollars(limits[role][limit]));
}

/** People write `$` and commas for thousands. */
function withoutSigns(typed: Typed): Typed {
  return mapped((role, limit) => typed[role][limit].replaceAll(/[$,\s]/g, ''));
}

function mapped(text: (role: keyof Typed, limit: (typeof refundLimitNames)[number]) => string): Typed {
  const ofRole = (role: keyof Typed) => ({
    perRefund: text(role, 'perRefund'),
    perPersonAndDay: text(role, 'perPersonAndDay'),
    perShopAndDay: text(role, 'perShopAndDay'),
  });
  return { owner: ofRole('owner'), clerk: ofRole('clerk') };
}
