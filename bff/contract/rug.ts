import { feetAndInches, type PerAddOn, type Rug, type RugChoices, withIncluded } from '@kilim/domain/rug';

/** The first page loads this file, so it stays without a schema. */

export function addOnsToWire<Value>(addOns: PerAddOn<Value>) {
  return {
    stainProtection: addOns.stainProtection,
    mothProtection: addOns.greenPad,
    repairInspection: addOns.repairInspection,
  };
}

function addOnsFromWire<Value>(wire: ReturnType<typeof addOnsToWire<Value>>): PerAddOn<Value> {
  return {
    stainProtection: wire.stainProtection,
    greenPad: wire.mothProtection,
    repairInspection: wire.repairInspection,
  };
}

export function choicesToWire(rug: RugChoices) {
  return { serviceTier: rug.tier, ...addOnsToWire(rug) };
}

/** Each choice comes from the wire: one that is missing there or here does not compile. */
export function choicesFromWire(wire: ReturnType<typeof choicesToWire>): RugChoices {
  return withIncluded({ tier: wire.serviceTier, ...addOnsFromWire(wire) });
}

export function rugToWire(rug: Rug) {
  const width = feetAndInches(rug.width);
  const length = feetAndInches(rug.length);
  return {
    widthFeet: width.feet,
    widthInches: width.inches,
    lengthFeet: length.feet,
    lengthInches: length.inches,
    ...choicesToWire(rug),
  };
}
