import { addOns } from '@kilim/domain/rug';
import { rugId, sizeFieldId } from './form-problems.ts';
import type { OrderFormActor } from './order-form-actor.ts';
import { sizeFields } from './size-input.ts';

/** What the customer entered into the server's markup before the scripts ran. */
export function sendEarlyInput(actor: OrderFormActor): void {
  const [first] = actor.getSnapshot().context.rugs;
  if (first === undefined) return;
  const inputOf = (id: string) => document.getElementById(id) as HTMLInputElement | null;
  const typed = sizeFields.map((field) => [field, inputOf(sizeFieldId(0, field))?.value] as const);
  const sizes = Object.fromEntries(typed.filter(([field, text]) => text !== first.typed[field]));
  if (Object.keys(sizes).length > 0) actor.send({ type: 'rug.sizesFilled', index: 0, sizes });
  for (const addOn of addOns) {
    const checked = inputOf(`${rugId(0)}-${addOn}`)?.checked;
    if (checked !== first.rug[addOn]) actor.send({ type: 'rug.chosen', index: 0, choice: { [addOn]: checked } });
  }
  const { pressed = [] } = document.getElementById('root') as DrawnRoot;
  for (const control of pressed.splice(0)) {
    // React ignores a press that changes nothing.
    if ('checked' in control) control.checked = false;
    control.click();
  }
}

/** `start-page.js` notes which buttons and radio buttons were pressed. */
type DrawnRoot = HTMLElement & { readonly pressed?: (HTMLElement & { checked?: boolean })[] };
