import type { QuotedOrder } from '@kilim/bff/contract/quote';
import type { DeliveryOption } from '@kilim/domain/catalog';
import type { ContactErrors, ContactField, ContactInput } from '@kilim/domain/contact';
import type { RugChoices } from '@kilim/domain/rug';
import type { ApiFailure } from '../shared/api-client.ts';
import type { RugDraft, Step } from './draft.ts';
import type { SizeField, TypedSizes } from './size-input.ts';
import type { Refusal } from './texts.ts';

export type OrderFormContext = {
  readonly rugs: readonly RugDraft[];
  readonly nextRugId: number;
  readonly activeRugIndex: number;
  readonly deliveryOption: DeliveryOption;
  readonly contact: ContactInput;
  readonly contactErrors: ContactErrors;
  /** At the last refused Continue. The error summary lists those that still have errors. */
  readonly refusedFields: readonly string[];
  readonly failure: ApiFailure | undefined;
  readonly startsAt: Step;
  /** Continue was pressed before the reader of sizes was loaded. Typing takes the press back. */
  readonly continuesWhenRead: boolean;
  /** The last submission was without a contact: a wallet gives it. */
  readonly isExpress: boolean;
};

export type OrderFormEvent =
  | { readonly type: 'rug.added' }
  | { readonly type: 'rug.duplicated'; readonly index: number }
  /** In both steps. */
  | { readonly type: 'rug.removed'; readonly index: number }
  /** Undoes a removal at its index, in both steps. */
  | { readonly type: 'rug.restored'; readonly index: number; readonly rug: RugDraft }
  | { readonly type: 'rug.activated'; readonly index: number }
  /** By its tab, in both steps. */
  | { readonly type: 'rug.visited'; readonly index: number }
  | { readonly type: 'rug.sizeTyped'; readonly index: number; readonly field: SizeField; readonly text: string }
  | { readonly type: 'rug.sizesFilled'; readonly index: number; readonly sizes: Partial<TypedSizes> }
  | { readonly type: 'rug.sizeLeft'; readonly index: number; readonly field: SizeField }
  /** The reader of sizes has been loaded, or could not be. */
  | { readonly type: 'sizes.readable' }
  | { readonly type: 'rug.chosen'; readonly index: number; readonly choice: Partial<RugChoices> }
  | { readonly type: 'delivery.chosen'; readonly option: DeliveryOption }
  | { readonly type: 'contact.typed'; readonly field: ContactField; readonly text: string }
  | { readonly type: 'contact.left'; readonly field: ContactField }
  /** The wished day, in words, is no longer offered. */
  | { readonly type: 'pickupDay.passed'; readonly day: string }
  | { readonly type: 'rugs.continued' }
  | { readonly type: 'cart.leftForRugs' }
  | { readonly type: 'cart.submitted' }
  /** A wallet gives the contact. */
  | { readonly type: 'cart.expressChosen' };

/** Move the focus, show a toast, navigate to the checkout. */
export type OrderFormNotice =
  | { readonly type: 'stepEntered'; readonly step: Step }
  | { readonly type: 'rugAdded'; readonly index: number }
  /** The focus moves to the rug at `index`, if any rugs are left. */
  | {
      readonly type: 'rugRemoved';
      readonly index: number;
      readonly removed: RugDraft;
      readonly removedIndex: number;
    }
  | { readonly type: 'rugVisited'; readonly index: number }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'quoted'; readonly quote: QuotedOrder; readonly contact: ContactInput };
