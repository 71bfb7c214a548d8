import { Button } from 'antd';
import { useState } from 'react';
import { moveToRow } from './rows.ts';
import styles from './shortcuts.module.css';
import { ShortcutsHelp } from './shortcuts-help.tsx';
import { shortcutTexts } from './texts.ts';
import { useShortcuts } from './use-shortcuts.ts';

type ListShortcutsProps = { readonly onRefresh: () => void; readonly hasSearch?: boolean };

/** The keys of a list, and a button that names them. */
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
