import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import {
  type AdminSettings,
  historyQuery,
  type SettingsConflict,
  saveSettings,
  settingsQuery,
} from '../shared/settings/settings-calls.ts';
import { isoDay } from '../shared/ui/format.ts';
import { draftOf, isOfBoth, isSameDraft, mergedDraft, type SettingsDraft, settingsFrom } from './settings-draft.ts';
import { type Problems, problemsOf } from './settings-problems.ts';
import { settingsTexts } from './texts.ts';

/** Only the administrator can discard typed text. */
export function useSettingsForm(saved: AdminSettings) {
  const queryClient = useQueryClient();
  const { timeZone } = usePageData().config.business;
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(() => draftOf(saved));
  const [conflict, setConflict] = useState<SettingsConflict>();
  const { busy, attempt, prompt } = usePasswordGate(settingsTexts.password);
  const [problems, setProblems] = useState<Problems>({});
  const isDirty = !isSameDraft(draft, draftOf(base));

  const startFrom = (settings: AdminSettings) => {
    setBase(settings);
    setDraft(draftOf(settings));
  };
  // Another administrator's newer settings replace an unedited form; an edited one meets them on saving.
  if (saved.version > base.version && !isDirty && !busy && conflict === undefined) startFrom(saved);

  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(settingsTexts.leave),
    enableBeforeUnload: () => isDirty,
  });

  const fail = (found: Problems) => {
    setProblems(found);
    const isInvalid = Object.keys(found).length > 0;
    showToast({ ...(isInvalid ? settingsTexts.invalid : settingsTexts.failed), variant: 'destructive' });
  };
  const finish = (settings: AdminSettings, announcement: Announcement) => {
    startFrom(settings);
    queryClient.setQueryData(settingsQuery.queryKey, settings);
    void queryClient.invalidateQueries({ queryKey: historyQuery.queryKey });
    showToast(announcement);
  };
  /** @param from the base of the save; after a conflict, the other side's settings. */
  const save = (whole = draft, from = base, announcement: Announcement = settingsTexts.saved) => {
    const found = problemsOf(whole, isoDay(new Date(), timeZone));
    setConflict(undefined);
    if (Object.keys(found).length > 0) return fail(found);
    setProblems({});
    attempt({
      call: () => saveSettings(settingsFrom(from, whole), from.version),
      onDone: (saved) => ('conflict' in saved ? meet(saved.conflict) : finish(saved.settings, announcement)),
      onFailed: ({ fields }) => fail(fields),
    });
  };
  const mergeAndSave = (merged: SettingsDraft, current: AdminSettings, announcement?: Announcement) => {
    setBase(current);
    setDraft(merged);
    save(merged, current, announcement);
  };
  /** Only fields that both sides changed need a choice. */
  const meet = (met: SettingsConflict) => {
    if (met.differences.some(isOfBoth)) return setConflict(met);
    mergeAndSave(mergedDraft(met), met.current, settingsTexts.merged(met.changedBy ?? settingsTexts.somebody));
  };
  return {
    draft,
    isDirty,
    busy,
    prompt,
    conflict,
    problems,
    save,
    edit: (next: SettingsDraft, path: string) => {
      setDraft(next);
      // Editing a list clears the problems of its entries (`tierFeatures.premium.3`).
      setProblems(without(problems, path));
    },
    /** Text typed during an upload stays. */
    setImage: (name: string, address: string) => {
      setDraft((latest) => ({ ...latest, images: { ...latest.images, [name]: address } }));
      setProblems(without(problems, `addOnImages.${name}`));
    },
    discard: () => {
      startFrom(saved);
      setProblems({});
    },
    backToForm: () => setConflict(undefined),
    merge: mergeAndSave,
  };
}

type Announcement = { readonly title: string; readonly description: string };

function without(problems: Problems, path: string): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([key]) => key !== path && !key.startsWith(`${path}.`)));
}

export type SettingsFormState = ReturnType<typeof useSettingsForm>;
