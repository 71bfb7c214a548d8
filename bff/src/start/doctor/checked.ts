import type { Diagnosis } from '../../core/runtime/diagnosis.ts';

export type Checked = {
  /** A sentence without a full stop. */
  readonly rule: string;
  /** Empty: the rule holds. `skipped`: it could not be checked. */
  readonly found: readonly Diagnosis[] | 'skipped';
};

export type Tell = (checked: Checked) => void;
