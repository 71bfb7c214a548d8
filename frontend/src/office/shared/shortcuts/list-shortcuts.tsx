import { Button, Checkbox } from 'antd';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { localStore } from '../../../shared/storage.ts';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { moveToRow } from './rows.ts';
import styles from './shortcuts.module.css';
import { shortcutTexts } from './texts.ts';

type ListShortcutsProps = { readonly onRefresh: () => void; readonly hasSearch?: boolean };

export function ListShortcuts({ onRefresh, hasSearch = false }: ListShortcutsProps) {
  const [isHelpOpen, setHelp] = useState(false);
  useShortcuts({
    ...(hasSearch ? { '/': focusSearch } : {}),
    j: () => moveToRow(1),
    k: () => moveToRow(-1),
    r: onRefresh,
    '?': () => setHelp(true),
  });
  return (
    <>
      <Button
        className={styles.help ?? ''}
        aria-label={shortcutTexts.title}
        title={shortcutTexts.title}
        onClick={() => setHelp(true)}
      >
        ?
      </Button>
      {isHelpOpen && <ShortcutsHelp hasSearch={hasSearch} onClose={() => setHelp(false)} />}
    </>
  );
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('input[type="search"]')?.focus();
}

type ShortcutsHelpProps = { readonly hasSearch: boolean; readonly onClose: () => void };

/** With a switch for all of them. */
function ShortcutsHelp({ hasSearch, onClose }: ShortcutsHelpProps) {
  const keys = shortcutTexts.keys.filter(([key]) => hasSearch || key !== '/');
  const isOn = useShortcutsAreOn();
  return (
    <Dialog title={shortcutTexts.title} onClose={onClose}>
      <div className={cards.stack}>
        <dl className={styles.keys}>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <Checkbox checked={isOn} onChange={({ target }) => switchShortcuts(target.checked)}>
          {shortcutTexts.on}
        </Checkbox>
        <div className={cards.buttons}>
          <Button onClick={onClose}>{shortcutTexts.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** By `KeyboardEvent.key`. */
type Shortcuts = Readonly<Record<string, () => void>>;

/** Silent while a person types, a dialog is open, or shortcuts are switched off. */
function useShortcuts(shortcuts: Shortcuts): void {
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

function useShortcutsAreOn(): boolean {
  return useSyncExternalStore(subscribe, () => localStore.read(storageKey) === null);
}

function switchShortcuts(on: boolean): void {
  if (on) localStore.remove(storageKey);
  else localStore.write(storageKey, '1');
  for (const listener of listeners) listener();
}
