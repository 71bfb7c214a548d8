import { Button } from '../shared/ui/button.tsx';
import { useOrderFormActor } from './order-form-actor.ts';
import { orderFormTexts as texts } from './texts.ts';

const buttons = {
  'rug.visited': { text: texts.edit, name: texts.editRug },
  'rug.duplicated': { text: texts.duplicate, name: texts.duplicateRug },
  'rug.removed': { text: texts.remove, name: texts.removeRug },
} as const;

type RugButtonProps = { readonly index: number; readonly sends: keyof typeof buttons };

/** Of a rug's card, and of its line in the cart. */
export function RugButton({ index, sends }: RugButtonProps) {
  const actor = useOrderFormActor();
  const { text, name } = buttons[sends];
  return (
    <Button variant="quiet" aria-label={name(index)} onClick={() => actor.send({ type: sends, index })}>
      {text}
    </Button>
  );
}
