import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CardSetup, mountCard, parseReading } from './square-card.ts';

const setup: CardSetup = {
  applicationId: 'sandbox-sq0idb-test',
  locationId: 'L1',
  scriptUrl: 'https://square.example/square.js',
  options: { includeInputLabels: true, style: {} },
};

/** Scripts load when a spec says so. */
class FakeElement extends EventTarget {
  src = '';
  parent: FakeElement | undefined;
  readonly children: FakeElement[] = [];

  append(child: FakeElement) {
    child.parent = this;
    this.children.push(child);
  }

  remove() {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = undefined;
  }
}

const head = new FakeElement();
const page = { Square: undefined as unknown };
const card = {
  attach: vi.fn(async (): Promise<void> => undefined),
  destroy: vi.fn(async () => undefined),
  tokenize: vi.fn(async (): Promise<unknown> => ({ status: 'OK', token: 'cnon:a' })),
  focus: vi.fn(async () => undefined),
  addEventListener: vi.fn(),
};
const makeCard = vi.fn(async () => card);
const square = { payments: vi.fn(() => ({ card: makeCard })) };

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
const mount = (parent: FakeElement, changed: Partial<CardSetup> = {}) =>
  mountCard(parent as unknown as HTMLElement, { ...setup, ...changed });

async function scriptLoads() {
  page.Square = square;
  head.children.at(-1)?.dispatchEvent(new Event('load'));
  await settled();
}

beforeEach(() => {
  page.Square = undefined;
  head.children.length = 0;
  makeCard.mockImplementation(async () => card);
  square.payments.mockImplementation(() => ({ card: makeCard }));
  card.attach.mockImplementation(async () => undefined);
  card.destroy.mockImplementation(async () => undefined);
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', { head, createElement: () => new FakeElement() });
});

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

describe('the card form', () => {
  test('is attached to its own host element', async () => {
    const parent = new FakeElement();
    const { form } = mount(parent);
    expect(head.children.map(({ src }) => src)).toEqual([setup.scriptUrl]);
    await scriptLoads();
    expect((await form).ok).toBe(true);
    expect(square.payments).toHaveBeenCalledWith('sandbox-sq0idb-test', 'L1');
    expect(card.attach).toHaveBeenCalledWith(parent.children[0]);
  });

  test('is created once if it is mounted, removed and mounted again, as in strict mode', async () => {
    const parent = new FakeElement();
    mount(parent).remove();
    const { form, remove } = mount(parent);
    await scriptLoads();
    expect((await form).ok).toBe(true);
    expect(head.children).toHaveLength(1);
    expect(makeCard).toHaveBeenCalledTimes(1);
    expect(parent.children).toHaveLength(1);

    remove();
    await settled();
    expect(card.destroy).toHaveBeenCalledTimes(1);
    expect(parent.children).toHaveLength(0);
  });

  test('is destroyed and not reported if it is removed during `attach`', async () => {
    const reported = vi.fn();
    const { form, remove } = mount(new FakeElement());
    void form.then(reported);
    card.attach.mockImplementation(async () => remove());
    await scriptLoads();
    await settled();
    expect(card.destroy).toHaveBeenCalledTimes(1);
    expect(reported).not.toHaveBeenCalled();
  });

  test.each(['sq0idb-test', '', 'sandbox-sq0idp-test', 'x-sq0idp-test'])(
    'is not requested with the application id "%s"',
    async (applicationId) => {
      const { form } = mount(new FakeElement(), { applicationId });
      expect(await form).toEqual({ ok: false, rejection: { code: 'ApplicationIdInvalid' } });
      expect(head.children).toHaveLength(0);
    },
  );

  test('accepts a production application id', async () => {
    const { form } = mount(new FakeElement(), { applicationId: 'sq0idp-live' });
    await scriptLoads();
    expect((await form).ok).toBe(true);
  });

  test('loads its script again after a failure, which leaves no script element behind', async () => {
    const { form } = mount(new FakeElement());
    head.children[0]?.dispatchEvent(new Event('error'));
    expect(await form).toEqual({ ok: false, rejection: { code: 'ScriptUnavailable' } });
    expect(head.children).toHaveLength(0);

    const { form: second } = mount(new FakeElement());
    expect(head.children).toHaveLength(1);
    await scriptLoads();
    expect((await second).ok).toBe(true);
  });

  test('is unavailable and destroyed if any call to Square throws', async () => {
    square.payments.mockImplementation(() => {
      throw new Error('ApplicationIdEnvironmentMismatchError');
    });
    const refused = mount(new FakeElement());
    await scriptLoads();
    expect(await refused.form).toEqual({ ok: false, rejection: { code: 'FormUnavailable' } });

    square.payments.mockImplementation(() => ({ card: makeCard }));
    card.attach.mockImplementation(async () => {
      throw new Error('The frame was blocked');
    });
    const blocked = mount(new FakeElement());
    expect(await blocked.form).toEqual({ ok: false, rejection: { code: 'FormUnavailable' } });
    expect(card.destroy).toHaveBeenCalledTimes(1);
  });
});

describe('reading the card', () => {
  test.each([
    [
      { status: 'OK', token: 'cnon:a', details: {} },
      { kind: 'token', token: 'cnon:a' },
    ],
    [
      {
        status: 'Invalid',
        errors: [{ type: 'VALIDATION_ERROR', field: 'cvv', message: 'x' }, { field: 'cardNumber' }],
      },
      { kind: 'invalid', fields: ['cardNumber', 'cvv'] },
    ],
    [
      { status: 'Invalid', errors: [{ type: 'VALIDATION_ERROR', field: 'unknownField' }] },
      { kind: 'invalid', fields: [] },
    ],
    [{ status: 'Invalid' }, { kind: 'invalid', fields: [] }],
    [{ status: 'Abort' }, { kind: 'canceled' }],
    [{ status: 'Cancel' }, { kind: 'canceled' }],
    [{ status: 'OK', token: '' }, { kind: 'failed' }],
    [{ status: 'Error', errors: [{ message: 'x' }] }, { kind: 'failed' }],
    [{ status: 'Unknown' }, { kind: 'failed' }],
    [undefined, { kind: 'failed' }],
  ])('%o', (answer, reading) => {
    expect(parseReading(answer)).toEqual(reading);
  });

  test('a reading that throws counts as failed', async () => {
    const { form } = mount(new FakeElement());
    await scriptLoads();
    card.tokenize.mockImplementation(async () => {
      throw new Error('TokenizationError');
    });
    const made = await form;
    const details = {
      amount: '476.00',
      currencyCode: 'USD',
      intent: 'CHARGE',
      billingContact: { countryCode: 'US' },
      customerInitiated: true,
      sellerKeyedIn: false,
    } as const;
    expect(made.ok && (await made.value.read(details))).toEqual({ kind: 'failed' });
  });
});
