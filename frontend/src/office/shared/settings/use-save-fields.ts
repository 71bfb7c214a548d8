import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '../../../shared/toast/toast-store.ts';
import type { Failed } from '../api/outcome.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import { type SettingsFields, saveFields, settingsKey, settingsQuery } from './settings-calls.ts';

type Texts = {
  /** Absent: the usual title. */
  readonly password?: string;
  /** Absent if the page itself shows the change, which a toast could cover. */
  readonly saved?: string;
};

/** For a form that shows no others. */
export function useSaveFields(texts: Texts = {}) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate(texts.password);
  const [failure, setFailure] = useState<Failed>();
  const save = (fields: SettingsFields, version: number) => {
    if (busy) return;
    setFailure(undefined);
    attempt({
      call: () => saveFields(fields, version),
      onDone: (settings) => {
        if (texts.saved !== undefined) showToast({ title: texts.saved });
        queryClient.setQueryData(settingsQuery.queryKey, settings);
        void queryClient.invalidateQueries({ queryKey: settingsKey });
      },
      onFailed: setFailure,
    });
  };
  return { busy, prompt, failure, save };
}
