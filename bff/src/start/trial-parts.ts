import { existsSync } from 'node:fs';

// The image for customers is built without the lab, so its modules are found by their place when they are started.
// Their types are here, because the server does not depend on the lab: `lab/trial-parts.spec.ts` does not compile when
// they differ.

const lab = new URL('../../../lab/', import.meta.url);

type Place = { readonly host: string; readonly port: number };

export type SimulatorPlace = Place & {
  readonly accessToken: string;
  readonly locationId: string;
  readonly applicationId: string;
  /** In the receipt's link, when browsers need another address. */
  readonly publicUrl?: string | undefined;
  /** Absent: memory only. */
  readonly dataFile?: string | undefined;
};

export type Simulator = {
  readonly url: string;
  /** For a caller that learns its own webhook address only later. */
  readonly subscribe: (webhook: { readonly url: string; readonly signatureKey: string }) => void;
  readonly close: () => Promise<void>;
};

export type Mailbox = {
  readonly smtpUrl: string;
  readonly url: string;
  readonly close: () => Promise<void>;
};

export type Demo = {
  readonly origins: readonly string[];
  /** @returns the address of the page */
  readonly show: (orders: string) => string;
  readonly close: () => Promise<void>;
};

export type TrialParts = {
  readonly startSimulator: (place: SimulatorPlace) => Promise<Simulator>;
  readonly startMailbox: (place: Place) => Promise<Mailbox>;
  readonly startDemo: (place: Place) => Promise<Demo>;
};

/** @throws when the local Square is not installed. */
export async function startLocalSquare(place: SimulatorPlace): Promise<Simulator> {
  const part = await find('square/start-simulator.ts');
  if (part === undefined)
    throw new Error(
      'SQUARE_ENVIRONMENT: The local Square is not part of this image. ' +
        'Set it to sandbox or production, or use the image of a trial (docker build --target trial).',
    );
  return await part.startSimulator(place);
}

/** @returns undefined when the demo page is not installed. */
export async function startDemoPage(place: Place): Promise<Demo | undefined> {
  return await (await find('demo/start-demo.ts'))?.startDemo(place);
}

/** @returns undefined when the mailbox is not installed. */
export async function startLocalMailbox(place: Place): Promise<Mailbox | undefined> {
  return await (await find('mailbox/start-mailbox.ts'))?.startMailbox(place);
}

async function find(module: string): Promise<TrialParts | undefined> {
  const { href } = new URL(module, lab);
  return existsSync(new URL(href)) ? ((await import(href)) as TrialParts) : undefined;
}
