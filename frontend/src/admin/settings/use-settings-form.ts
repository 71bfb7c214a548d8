import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import {
  type AdminSettings,
  historyQuery,
  type SaveOutcome,
  type SettingsConflict,
  saveSettings,
  settingsQuery,
} from './settings-calls.ts';
import { draftOf, isSameDraft, problemsOf, type SettingsDraft, settingsFrom } from './settings-draft.ts';
import { settingsTexts } from './texts.ts';

/** The step between editing and a save. */
type Step =
  | { readonly kind: 'editing' | 'saving' | 'password' }
  | { readonly kind: 'conflict'; readonly conflict: SettingsConflict };

/** The draft, its base, and saving it. Only the administrator can discard typed text. */
export function useSettingsForm(saved: AdminSettings) {
  const queryClient = useQueryClient();
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(() => draftOf(saved));
  const [step, setStep] = useState<Step>({ kind: 'editing' });
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const isDirty = !isSameDraft(draft, draftOf(base));

  const startFrom = (settings: AdminSettings) => {
    setBase(settings);
    setDraft(draftOf(settings));
  };
  // Newer settings of another administrator replace an unedited form. An edited one meets them when it is saved.
  if (saved.version > base.version && !isDirty && step.kind === 'editing') startFrom(saved);

  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(settingsTexts.leave),
    enableBeforeUnload: () => isDirty,
  });

  const finish = (outcome: SaveOutcome) => {
    setStep(
      outcome.kind === 'conflict'
        ? { kind: 'conflict', conflict: outcome.conflict }
        : { kind: outcome.kind === 'password-needed' ? 'password' : 'editing' },
    );
    if (outcome.kind === 'saved') {
      startFrom(outcome.settings);
      setProblems({});
      queryClient.setQueryData(settingsQuery.queryKey, outcome.settings);
      void queryClient.invalidateQueries({ queryKey: historyQuery.queryKey });
      showToast(settingsTexts.saved);
    }
    if (outcome.kind === 'failed') {
      setProblems(outcome.fields);
      showToast({ ...settingsTexts.failed, variant: 'destructive' });
    }
  };
  /** @param from the base of the save; after a conflict it is the other side's settings */
  const save = async (whole = draft, from = base) => {
    const found = problemsOf(whole);
    setProblems(found);
    if (Object.keys(found).length > 0) {
      setStep({ kind: 'editing' });
      showToast({ ...settingsTexts.failed, variant: 'destructive' });
      return;
    }
    setStep({ kind: 'saving' });
    finish(await saveSettings(settingsFrom(from, whole), from.version));
  };
  return {
    draft,
    isDirty,
    step,
    problems,
    save,
    edit: (next: SettingsDraft, path: string) => {
      setDraft(next);
      // Editing a list clears the problems of its entries (`tierFeatures.premium.3`).
      setProblems(without(problems, path));
    },
    /** An upload may take long: text that was typed during it stays. */
    setImage: (name: string, address: string) => {
      setDraft((latest) => ({ ...latest, images: { ...latest.images, [name]: address } }));
      setProblems(without(problems, `addOnImages.${name}`));
    },
    discard: () => {
      startFrom(saved);
      setProblems({});
    },
    backToForm: () => setStep({ kind: 'editing' }),
    /** The choices between two saves become the draft, over the other side's settings. */
    merge: (merged: SettingsDraft, current: AdminSettings) => {
      setBase(current);
      setDraft(merged);
      return save(merged, current);
    },
  };
}

function without(problems: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(problems).filter(([key]) => key !== path && !key.startsWith(`${path}.`)));
}

export type SettingsFormState = ReturnType<typeof useSettingsForm>;
