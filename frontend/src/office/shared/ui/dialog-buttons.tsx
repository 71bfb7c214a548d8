import { Button, type ButtonProps } from 'antd';
import { classNames } from '../../../shared/ui/class-names.ts';
import { officeTexts } from '../texts.ts';
import cards from './card.module.css';

type DialogButtonsProps = Omit<ButtonProps, 'type' | 'htmlType' | 'loading' | 'className'> & {
  readonly className?: string | undefined;
  readonly busy: boolean;
  readonly onCancel: () => void;
};

/** The way out, and what the dialog does: without `onClick` its button sends the form. */
export function DialogButtons({ busy, onCancel, className, size = 'middle', ...action }: DialogButtonsProps) {
  const htmlType = action.onClick === undefined ? 'submit' : 'button';
  return (
    <div className={classNames(cards.buttons, className)}>
      <Button size={size} disabled={busy} onClick={onCancel}>
        {officeTexts.cancel}
      </Button>
      <Button size={size} type="primary" htmlType={htmlType} loading={busy} {...action} />
    </div>
  );
}
