import { areaOf } from '@kilim/domain/rug';
import { FieldError, TextField } from '../shared/ui/text-field.tsx';
import type { RugDraft } from './draft.ts';
import { rugId, sizeFieldId } from './form-problems.ts';
import styles from './size-fields.module.css';
import { type Side, type SizeField, sideFields } from './size-input.ts';
import { orderFormTexts } from './texts.ts';

type SizeFieldsProps = {
  readonly index: number;
  readonly draft: RugDraft;
  readonly onType: (field: SizeField, text: string) => void;
  readonly onLeave: (field: SizeField) => void;
};

export function SizeFields(props: SizeFieldsProps) {
  const hintId = `${rugId(props.index)}-size-hint`;
  const area = areaOf(props.draft.rug);
  return (
    <fieldset aria-describedby={hintId}>
      <legend className={styles.legend}>{orderFormTexts.size}</legend>
      <p className={styles.area}>{area > 0 && orderFormTexts.area(area)}</p>
      <p className={styles.hint} id={hintId}>
        {orderFormTexts.sizeHint}
      </p>
      <div className={styles.sides}>
        <SideFields {...props} side="width" />
        <SideFields {...props} side="length" />
      </div>
    </fieldset>
  );
}

/** Feet and inches of one side, with what is wrong with either below both: there is no room for a sentence below one. */
function SideFields({ index, draft, onType, onLeave, side }: SizeFieldsProps & { readonly side: Side }) {
  const fields = Object.values(sideFields[side]);
  const wrong = fields.filter((field) => draft.errors[field] !== undefined);
  const errorId = `${rugId(index)}-${side}-error`;
  return (
    <div>
      <div className={styles.boxes}>
        {fields.map((field) => (
          <TextField
            key={field}
            id={sizeFieldId(index, field)}
            label={orderFormTexts.sizeFields[field]}
            value={draft.typed[field]}
            aria-invalid={wrong.includes(field) || undefined}
            aria-describedby={wrong.includes(field) ? errorId : undefined}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => onType(field, event.target.value)}
            onBlur={() => onLeave(field)}
          />
        ))}
      </div>
      <div id={errorId}>
        {wrong.map((field) => (
          <FieldError key={field} message={draft.errors[field] ?? ''} />
        ))}
      </div>
    </div>
  );
}
