import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type CheckedMacs, createMacCheck, type MacOptions } from './check-macs.ts';
import { macKeyOf, macsOf } from './event-mac.ts';
import type { EventRow } from './event-row.ts';
import { noHash } from './hash-text.ts';

const newKey = () => macKeyOf({ name: 'kilim/ledger', privateKey: generateKeyPairSync('ed25519').privateKey });
const key = newKey();
const requestHash = Buffer.alloc(32, 7);
const first = Date.parse('2026-12-01T10:00:00Z');
const hours = (count: number) => first + count * 3_600_000;

type Recorded = { readonly at: number; readonly by?: typeof key; readonly payload?: string };

/** The MAC is that of an unchanged payload. */
function read({ at, by, payload = '{}' }: Recorded, version: number) {
  const event = {
    streamId: 'note',
    version,
    commandId: `note:${version}`,
    type: 'Note',
    schemaVersion: 1,
    refundId: null,
    amountCents: null,
    actor: 'admin:ada',
    requestId: undefined,
    occurredAt: new Date(at),
    payload: '{}',
  };
  const row: EventRow = {
    streamId: 'note',
    version,
    type: 'Note',
    occurredAt: at * 1000,
    recordedAt: at * 1000,
    previousHash: noHash,
    hash: noHash,
    fault: undefined,
    authenticated: `note\n${version}\nnote:${version}\nNote\n1\n\n\n\nadmin:ada\n\n${at * 1000}\n${payload}`,
  };
  const macs = by === undefined ? Buffer.alloc(0) : Buffer.from(macsOf(by, requestHash, [event]), 'hex');
  return { row, command: { requestHash, fromVersion: version, macs } };
}

function check(events: readonly Recorded[], options: Partial<MacOptions> = {}): CheckedMacs | undefined {
  const macs = createMacCheck({ keys: [key], ...options });
  for (const [index, event] of events.entries()) {
    const { row, command } = read(event, index + 1);
    macs.follow(row, command);
  }
  return macs.end();
}

describe('without a MAC', () => {
  test('events from before the first MAC are earlier ones', () => {
    const events = [{ at: hours(-1) }, { at: hours(0), by: key }, { at: hours(23), by: key }];
    expect(check(events)).toEqual({ faults: [], right: 2, earlier: 1 });
  });

  test('later ones are faults, and the first of several in a row is named with their number', () => {
    const events = [
      { at: hours(0), by: key },
      { at: hours(25) },
      { at: hours(26) },
      { at: hours(27), by: key },
      { at: hours(28) },
    ];
    expect(check(events)?.faults).toEqual([
      { code: 'MacMissing', streamId: 'note', version: 2, events: 2 },
      { code: 'MacMissing', streamId: 'note', version: 5, events: 1 },
    ]);
  });

  test('the instant that the operator names counts instead', () => {
    const events = [{ at: hours(0), by: key }, { at: hours(25) }, { at: hours(49) }];
    expect(check(events, { requiredFrom: new Date(hours(48)) })).toMatchObject({
      faults: [{ code: 'MacMissing', version: 3, events: 1 }],
      earlier: 1,
    });
  });
});

describe('after a change of the key', () => {
  const earlier = newKey();
  const events = [
    { at: hours(0), by: earlier },
    { at: hours(30), by: key },
    { at: hours(31), by: earlier },
  ];

  test('MACs of the earlier key are not checked before the first one of this key, and faults afterwards', () => {
    expect(check(events)).toEqual({
      faults: [{ code: 'MacOfAnotherKey', streamId: 'note', version: 3 }],
      right: 1,
      earlier: 1,
    });
  });

  test('with the earlier key they are checked', () => {
    expect(check(events, { keys: [key, earlier] })).toEqual({ faults: [], right: 3, earlier: 0 });
    expect(check([{ at: hours(0), by: earlier, payload: '{"a":1}' }], { keys: [key, earlier] })?.faults).toEqual([
      { code: 'MacDiffers', streamId: 'note', version: 1 },
    ]);
  });
});

test('without a key nothing is checked', () => {
  expect(check([{ at: hours(0), by: key }], { keys: [] })).toBeUndefined();
});
