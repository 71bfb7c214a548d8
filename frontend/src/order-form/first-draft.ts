import { presetName } from '@kilim/domain/size-presets';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { newDraft, type OrderDraft, sizedRug } from './draft.ts';
import { useOffer } from './order-form-actor.ts';
import { typedPreset } from './size-input.ts';

/** A new draft, with the common size that the address names (`?size=8x10`). The server renders the same. */
export function useFirstDraft(): OrderDraft {
  const { sizePresets } = useOffer();
  const { size } = useRouter().state.location.search as { readonly size?: unknown };
  const [first] = useState(() => {
    const preset = sizePresets.find((each) => presetName(each) === size);
    const [rug] = newDraft.rugs;
    if (preset === undefined || rug === undefined) return newDraft;
    return { ...newDraft, rugs: [sizedRug(rug.rug, typedPreset(preset))] };
  });
  return first;
}
