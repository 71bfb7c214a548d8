import { Button, Checkbox } from 'antd';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { switchShortcuts, useShortcutsAreOn } from '../ui/use-shortcuts.ts';
import styles from './orders.module.css';
import { shortcutTexts } from './texts.ts';

/** The keys of the list, and a switch for all of them. */
export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }) {
  const isOn = useShortcutsAreOn();
  return (
    <Dialog title={shortcutTexts.title} onClose={onClose}>
      <div className={cards.stack}>
        <dl className={styles.keys}>
          {shortcutTexts.keys.map(([key, what]) => (
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
