import { areaOf, formatSize } from '@kilim/domain/rug';
import { presetName, type SizePreset } from '@kilim/domain/size-presets';
import { memo, useCallback, useEffect, useRef } from 'react';
import { afterPress } from '../shared/after-press.ts';
import { FieldError, TextField } from '../shared/ui/text-field.tsx';
import type { RugDraft } from './draft.ts';
import { rugId, sizeFieldId } from './form-problems.ts';
import { useOffer, useOrderFormActor } from './order-form-actor.ts';
import styles from './size-fields.module.css';
import {
  inchesOf,
  isUnread,
  loadSizeReader,
  noSizes,
  readField,
  type Side,
  type SizeField,
  sideFields,
  sizeChoices,
  type TypedSizes,
  typedPreset,
} from './size-input.ts';
import { SizeTooltip } from './size-tooltip.tsx';
import { orderFormTexts } from './texts.ts';

/** Without scripts, a common size is sent to the server, which renders the form with it. */
export const sizeFormId = 'common-size';

type SizeFieldsProps = { readonly index: number; readonly draft: RugDraft };

export function SizeFields({ index, draft }: SizeFieldsProps) {
  const hintId = `${rugId(index)}-size-hint`;
  const area = areaOf(draft.rug);
  const { sizePresets } = useOffer();
  const actor = useOrderFormActor();
  const load = useCallback(() => {
    void loadSizeReader().then((isNew) => isNew && actor.send({ type: 'sizes.readable' }));
  }, [actor]);
  const hasText = isUnread(draft.typed);
  // A restored draft may hold a size that only the reader understands, and no field gets the focus.
  // A field may have had the focus before the scripts ran.
  const fields = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (hasText || fields.current?.contains(document.activeElement)) load();
  }, [hasText, load]);
  return (
    <fieldset ref={fields} aria-describedby={hintId} onFocus={load}>
      <legend className={styles.legend}>{orderFormTexts.size}</legend>
      <div className={styles.head}>
        <SizeTooltip />
        <p className={styles.area}>{area > 0 && orderFormTexts.area(area)}</p>
      </div>
      <p className={styles.hint} id={hintId}>
        <span className={styles.typed}>{orderFormTexts.sizeHint}</span>
        <span className={styles.tapped}>{orderFormTexts.sizeHintOnPhone}</span>
      </p>
      {sizePresets.length > 0 && (
        <CommonSizes
          index={index}
          presets={sizePresets}
          chosen={sizePresets.findIndex((preset) => isTyped(draft.typed, preset))}
        />
      )}
      <div className={styles.sides}>
        <SideFields index={index} draft={draft} side="width" />
        <SideFields index={index} draft={draft} side="length" />
      </div>
    </fieldset>
  );
}

function isTyped(typed: TypedSizes, preset: SizePreset): boolean {
  return (['width', 'length'] as const).every((side) => inchesOf(typed, side) === preset[side]);
}

type CommonSizesProps = {
  readonly index: number;
  readonly presets: readonly SizePreset[];
  readonly chosen: number;
};

const CommonSizes = memo(function CommonSizes({ index, presets, chosen }: CommonSizesProps) {
  const actor = useOrderFormActor();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a screen reader would announce a nested fieldset as a second question.
    <div className={styles.common} role="group" aria-label={orderFormTexts.commonSizes}>
      {presets.map((preset, place) => (
        <button
          key={formatSize(preset)}
          type="submit"
          form={sizeFormId}
          name="size"
          value={presetName(preset)}
          className={styles.chip}
          aria-pressed={place === chosen}
          onClick={(event) => {
            event.preventDefault();
            actor.send({ type: 'rug.sizesFilled', index, sizes: typedPreset(preset) });
          }}
        >
          {formatSize(preset)}
        </button>
      ))}
    </div>
  );
});

/** The errors are below both fields, because one is too narrow for a sentence. */
function SideFields({ index, draft, side }: SizeFieldsProps & { readonly side: Side }) {
  const fields = Object.values(sideFields[side]);
  const wrong = fields.filter((field) => draft.errors[field] !== undefined);
  const errorId = `${rugId(index)}-${side}-error`;
  return (
    <div>
      <div className={styles.boxes}>
        {fields.map((field) => (
          <SizeBox
            key={field}
            index={index}
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
      {/* The question appears when the focus has left. */}
      <div role="status">
        {wrong.map((field) => (
          <SizeChoices key={field} index={index} field={field} typed={draft.typed} />
        ))}
      </div>
    </div>
  );
}

type SizeChoicesProps = { readonly index: number; readonly field: SizeField; readonly typed: TypedSizes };

function SizeChoices({ index, field, typed }: SizeChoicesProps) {
  const actor = useOrderFormActor();
  const choices = sizeChoices(typed, field);
  if (choices.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the common sizes.
    <div className={styles.choices} role="group" aria-label={orderFormTexts.sizeChoices}>
      {choices.map(({ words, sizes }) => (
        <button
          key={words}
          type="button"
          className={styles.chip}
          onClick={() => {
            actor.send({ type: 'rug.sizesFilled', index, sizes });
            // The pressed button is gone.
            document.getElementById(sizeFieldId(index, field))?.focus();
          }}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

type SizeBoxProps = {
  readonly index: number;
  readonly field: SizeField;
  readonly typed: string;
  readonly errorId: string | undefined;
};

const SizeBox = memo(function SizeBox({ index, field, typed, errorId }: SizeBoxProps) {
  const actor = useOrderFormActor();
  return (
    <TextField
      id={sizeFieldId(index, field)}
      label={orderFormTexts.sizeFields[field]}
      value={typed}
      aria-invalid={errorId !== undefined || undefined}
      aria-describedby={errorId}
      inputMode="tel"
      autoComplete="off"
      onChange={(event) => actor.send({ type: 'rug.sizeTyped', index, field, text: event.target.value })}
      onBlur={() => afterPress(() => actor.send({ type: 'rug.sizeLeft', index, field }))}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text');
        const { typed: others = noSizes } = actor.getSnapshot().context.rugs[index] ?? {};
        const { sizes } = readField({ ...others, [field]: text }, field);
        if (sizes === undefined) return;
        event.preventDefault();
        actor.send({ type: 'rug.sizesFilled', index, sizes });
      }}
    />
  );
});
