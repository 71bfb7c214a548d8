import { Button } from 'antd';
import { showToast } from '../../../shared/toast/toast-store.ts';

type CopyButtonProps = {
  readonly text: string;
  readonly texts: { readonly copy: string; readonly copied: string; readonly copyFailed: string };
  readonly className?: string | undefined;
};

export function CopyButton({ text, texts, className = '' }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: texts.copied });
    } catch {
      showToast({ title: texts.copyFailed, variant: 'destructive' });
    }
  };
  return (
    <Button className={className} onClick={() => void copy()}>
      {texts.copy}
    </Button>
  );
}
