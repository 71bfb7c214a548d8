import type { Intake } from '@kilim/bff/contract/intake';
import type { IntakeRequest } from '@kilim/bff/contract/intake-request';
import { formatDollars, noCents } from '@kilim/domain/money';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '../../../shared/toast/toast-store.ts';
import type { Outcome } from '../../shared/api/outcome.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';
import { usePasswordGate } from '../../shared/session/password-gate.tsx';
import { intakeQuery, recordStep, refundMeasured } from './intake-calls.ts';
import { intakeTexts as texts } from './texts.ts';

export type IntakeSteps = ReturnType<typeof useIntakeSteps>;

export function useIntakeSteps(orderId: string) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(texts.password);
  const [problem, setProblem] = useState<string>();
  const send = (call: () => Promise<Outcome<Intake>>, onDone?: () => void) =>
    attempt({
      call,
      onDone: (intake) => {
        setProblem(undefined);
        queryClient.setQueryData(intakeQuery(orderId).queryKey, intake);
        void queryClient.invalidateQueries({ queryKey: moneyKey });
        onDone?.();
      },
      onFailed: ({ message }) => {
        setProblem(message || texts.failed);
        // Another person may have been quicker.
        void queryClient.invalidateQueries({ queryKey: moneyKey });
      },
    });
  return {
    busy,
    problem,
    prompt,
    record: (body: IntakeRequest, onDone?: () => void) => {
      if (!busy) send(() => recordStep(orderId, body), onDone);
    },
    refund: (measured: Parameters<typeof refundMeasured>[1]) => {
      if (busy) return;
      const told = texts.refunded(formatDollars(measured.refund ?? noCents));
      send(
        () => refundMeasured(orderId, measured),
        () => showToast(told),
      );
    },
  };
}
