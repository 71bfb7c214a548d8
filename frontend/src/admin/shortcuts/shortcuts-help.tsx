import { Button, Checkbox } from 'antd';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import styles from './shortcuts.module.css';
import { shortcutTexts } from './texts.ts';
import { switchShortcuts, useShortcutsAreOn } from './use-shortcuts.ts';

type ShortcutsHelpProps = { readonly hasSearch: boolean; readonly onClose: () => void };

/** The keys of a list, and a switch for all of them. */
export function ShortcutsHelp({ hasSearch, onClose }: ShortcutsHelpProps) {
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
