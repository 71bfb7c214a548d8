import { showToast } from '../shared/toast/toast-store.ts';
import { Button } from '../shared/ui/button.tsx';
import { receiptTexts } from './texts.ts';

/** Copies the address of the receipt: it works on another device, where the contact is masked. */
export function CopyLink() {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      showToast({ title: receiptTexts.linkCopied, description: receiptTexts.linkCopiedHint });
    } catch {
      showToast({ title: receiptTexts.linkNotCopied, variant: 'destructive' });
    }
  };
  return (
    <Button variant="secondary" onClick={() => void copy()}>
      {receiptTexts.copyLink}
    </Button>
  );
}
