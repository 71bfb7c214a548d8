import { hash } from 'node:crypto';
import { finishMac, keyIdBytes, type MacKey, macBytes, macHeading } from './event-mac.ts';
import type { EventRow, OfCommand } from './event-row.ts';

/** An event that no server with the key appended. */
export type MacFault =
  | {
      readonly code: /** Its MAC belongs to other content. */
        | 'MacDiffers'
        /** Its MAC is of another key, although servers used this key already. */
        | 'MacOfAnotherKey';
      readonly streamId: string;
      readonly version: number;
    }
  /** Events in a row without a MAC, after servers began to make MACs. The first one is named. */
  | { readonly code: 'MacMissing'; readonly streamId: string; readonly version: number; readonly events: number };

export type MacOptions = {
  /** The present one, and earlier ones. Without a key nothing is checked. */
  readonly keys: readonly MacKey[];
  /** From this instant on, each event must have a MAC of these keys. Default: from the first MAC on. */
  readonly requiredFrom?: Date | undefined;
};

export type CheckedMacs = {
  readonly faults: readonly MacFault[];
  readonly right: number;
  /** From before MACs are required. */
  readonly earlier: number;
};

export type MacCheck = {
  /** False without a key. */
  readonly follow: (event: EventRow, command: OfCommand) => boolean;
  /** Undefined without a key. */
  readonly end: () => CheckedMacs | undefined;
};

const never = Number.POSITIVE_INFINITY;

export function createMacCheck({ keys, requiredFrom }: MacOptions): MacCheck {
  const known = new Map(keys.map((key) => [key.id.toString('latin1'), key]));
  const faults: MacFault[] = [];
  let [right, earlier, missing] = [0, 0, 0];
  // `anyFrom`: each later event has a MAC. `ownFrom`: each later MAC is of one of these keys.
  const from = requiredFrom === undefined ? never : requiredFrom.getTime() * 1000;
  let [anyFrom, ownFrom] = [from, from];
  const beginAfter = (recordedAt: number, known: number) =>
    requiredFrom === undefined ? Math.min(known, recordedAt) : known;

  const withoutMac = ({ streamId, version, recordedAt }: EventRow): void => {
    if (recordedAt < anyFrom) {
      earlier += 1;
      return;
    }
    missing += 1;
    const last = faults.at(-1);
    if (missing > 1 && last?.code === 'MacMissing') faults[faults.length - 1] = { ...last, events: missing };
    else faults.push({ code: 'MacMissing', streamId, version, events: missing });
  };

  const withMac = (event: EventRow, command: OfCommand): void => {
    const key = known.get(command.macs.toString('latin1', 0, keyIdBytes));
    const { recordedAt } = event;
    missing = 0;
    anyFrom = beginAfter(recordedAt, anyFrom);
    if (key === undefined && recordedAt < ownFrom) {
      earlier += 1;
      return;
    }
    if (key !== undefined && isRight(key, event, command)) {
      ownFrom = beginAfter(recordedAt, ownFrom);
      right += 1;
      return;
    }
    const { streamId, version } = event;
    faults.push({ code: key === undefined ? 'MacOfAnotherKey' : 'MacDiffers', streamId, version });
  };

  return {
    follow: (event, command) => {
      const before = right;
      if (known.size > 0) (command.macs.length === 0 ? withoutMac : withMac)(event, command);
      return known.size > 0 && right === before;
    },
    end: () => (known.size === 0 ? undefined : { faults, right, earlier }),
  };
}

/** As `macsOf` makes it, from the stored columns. */
function isRight(key: MacKey, { version, authenticated }: EventRow, { requestHash, fromVersion, macs }: OfCommand) {
  const innerHash = hash('sha256', `${key.inner}${macHeading}${requestHash.toString('hex')}\n${authenticated}`);
  const at = keyIdBytes + macBytes * (version - fromVersion);
  return macs.toString('hex', at, at + macBytes) === finishMac(key, innerHash);
}
