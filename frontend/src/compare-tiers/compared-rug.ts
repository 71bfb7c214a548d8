import type { DeliveryOption, Tier } from '@kilim/domain/catalog';
import type { Rug } from '@kilim/domain/rug';

export type ComparedRug = {
  readonly rug: Rug;
  readonly rugName: string;
  readonly deliveryOption: DeliveryOption;
  readonly onChoose: (tier: Tier) => void;
};
