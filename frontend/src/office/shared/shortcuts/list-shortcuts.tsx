import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { moveToRow } from './rows.ts';
import styles from './shortcuts.module.css';
import { shortcutTexts } from './texts.ts';
import { switchShortcuts, useShortcuts, useShortcutsAreOn } from './use-shortcuts.ts';

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
