import { areaOf } from '@kilim/domain/rug';
import { memo } from 'react';
import { FieldError, TextField } from '../shared/ui/text-field.tsx';
import type { RugDraft } from './draft.ts';
import { rugId, sizeFieldId } from './form-problems.ts';
import styles from './size-fields.module.css';
import {
  type CommonSize,
  commonSizes,
  inchesOf,
  type Side,
  type SizeField,
  sideFields,
  type TypedSizes,
  typedCommonSize,
  typedSizesOf,
} from './size-input.ts';
import { SizeTooltip } from './size-tooltip.tsx';
import { orderFormTexts } from './texts.ts';

type SizeFieldsProps = {
  readonly index: number;
  readonly draft: RugDraft;
  readonly onType: (field: SizeField, text: string) => void;
  readonly onLeave: (field: SizeField) => void;
  readonly onFill: (sizes: Partial<TypedSizes>) => void;
};

export function SizeFields(props: SizeFieldsProps) {
  const hintId = `${rugId(props.index)}-size-hint`;
  const area = areaOf(props.draft.rug);
  return (
    <fieldset aria-describedby={hintId}>
      <legend className={styles.legend}>{orderFormTexts.size}</legend>
      <div className={styles.head}>
        <SizeTooltip />
        <p className={styles.area}>{area > 0 && orderFormTexts.area(area)}</p>
      </div>
      <p className={styles.hint} id={hintId}>
        {orderFormTexts.sizeHint}
      </p>
      <CommonSizes chosen={commonSizes.findIndex((size) => isTyped(props.draft.typed, size))} onFill={props.onFill} />
      <div className={styles.sides}>
        <SideFields {...props} side="width" />
        <SideFields {...props} side="length" />
      </div>
    </fieldset>
  );
}

function isTyped(typed: TypedSizes, size: CommonSize): boolean {
  const filled = typedCommonSize(size);
  return (['width', 'length'] as const).every((side) => inchesOf(typed, side) === inchesOf(filled, side));
}

type CommonSizesProps = Pick<SizeFieldsProps, 'onFill'> & { readonly chosen: number };

const CommonSizes = memo(function CommonSizes({ chosen, onFill }: CommonSizesProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a screen reader would announce a nested fieldset as a second question.
    <div className={styles.common} role="group" aria-label={orderFormTexts.commonSizes}>
      {commonSizes.map((size, index) => (
        <button
          key={size.join()}
          type="button"
          className={styles.chip}
          aria-pressed={index === chosen}
          onClick={() => onFill(typedCommonSize(size))}
        >
          {orderFormTexts.commonSize(size)}
        </button>
      ))}
    </div>
  );
});

/**
 * Feet and inches of one side. The errors are below both fields, because one field is too narrow
 * for a sentence.
 */
function SideFields({ index, draft, side, ...handlers }: SizeFieldsProps & { readonly side: Side }) {
  const fields = Object.values(sideFields[side]);
  const wrong = fields.filter((field) => draft.errors[field] !== undefined);
  const errorId = `${rugId(index)}-${side}-error`;
  return (
    <div>
      <div className={styles.boxes}>
        {fields.map((field) => (
          <SizeBox
            key={field}
            {...handlers}
            id={sizeFieldId(index, field)}
            field={field}
            typed={draft.typed[field]}
            errorId={wrong.includes(field) ? errorId : undefined}
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

type SizeBoxProps = Pick<SizeFieldsProps, 'onType' | 'onLeave' | 'onFill'> & {
  readonly id: string;
  readonly field: SizeField;
  readonly typed: string;
  /** The id of the error message, if this field has an error. */
  readonly errorId: string | undefined;
};

const SizeBox = memo(function SizeBox({ id, field, typed, errorId, onType, onLeave, onFill }: SizeBoxProps) {
  return (
    <TextField
      id={id}
      label={orderFormTexts.sizeFields[field]}
      value={typed}
      aria-invalid={errorId !== undefined || undefined}
      aria-describedby={errorId}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => onType(field, event.target.value)}
      onBlur={() => onLeave(field)}
      onPaste={(event) => {
        const sizes = typedSizesOf(event.clipboardData.getData('text'), field);
        if (sizes === undefined) return;
        event.preventDefault();
        onFill(sizes);
      }}
    />
  );
});
