import { useEffect, useRef, useSyncExternalStore } from 'react';
import { localStore } from '../../../shared/storage.ts';

/** By `KeyboardEvent.key`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Silent while a person types, a dialog is open, or shortcuts are switched off. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  const isOn = useShortcutsAreOn();
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const act = current.current[event.key];
      if (act === undefined || isMeantElsewhere(event)) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isOn]);
}

function isMeantElsewhere({ target, altKey, ctrlKey, metaKey, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey || defaultPrevented || isComposing) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
}

// WCAG 2.1.4: speech input may produce single keys by accident.
const storageKey = 'adminShortcutsOff';
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useShortcutsAreOn(): boolean {
  return useSyncExternalStore(subscribe, () => localStore.read(storageKey) === null);
}

export function switchShortcuts(on: boolean): void {
  if (on) localStore.remove(storageKey);
  else localStore.write(storageKey, '1');
  for (const listener of listeners) listener();
}
