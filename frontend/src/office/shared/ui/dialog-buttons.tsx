import { Button, type ButtonProps } from 'antd';
import { type ReactNode, useState } from 'react';
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

type OpenButtonProps = {
  readonly text: string;
  /** Says which one, when a page has several. */
  readonly label?: string | undefined;
  readonly children: (close: () => void) => ReactNode;
};

/** Opens a dialog. */
export function OpenButton({ text, label, children }: OpenButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button aria-label={label} onClick={() => setIsOpen(true)}>
        {text}
      </Button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}
