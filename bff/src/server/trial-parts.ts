import { existsSync } from 'node:fs';
import type { Simulator, SimulatorOptions } from '../../square-simulator/start-simulator.ts';
import type { Demo } from '../../tools/demo/start-demo.ts';
import type { Mailbox } from '../../tools/mailbox/start-mailbox.ts';

export type { Demo, Mailbox, Simulator };

// The local Square, the mailbox and the demo page are for development and trials. The image for customers is
// built without them, so they are imported only when they are started.

/** @throws Error with a sentence for the operator when the local Square is not installed. */
export async function startLocalSquare(options: SimulatorOptions): Promise<Simulator> {
  if (!isInstalled('../../square-simulator/start-simulator.ts'))
    throw new Error(
      'SQUARE_ENVIRONMENT: The local Square is not part of this image. ' +
        'Set it to sandbox or production, or use the image of a trial (docker build --target trial).',
    );
  const { startSimulator } = await import('../../square-simulator/start-simulator.ts');
  return await startSimulator(options);
}

/** @returns undefined when the demo page is not installed. */
export async function startDemoPage(place: {
  readonly host: string;
  readonly port: number;
}): Promise<Demo | undefined> {
  if (!isInstalled('../../tools/demo/start-demo.ts')) return undefined;
  const { startDemo } = await import('../../tools/demo/start-demo.ts');
  return await startDemo(place);
}

/** @returns undefined when the mailbox is not installed. */
export async function startLocalMailbox(place: {
  readonly host: string;
  readonly port: number;
}): Promise<Mailbox | undefined> {
  if (!isInstalled('../../tools/mailbox/start-mailbox.ts')) return undefined;
  const { startMailbox } = await import('../../tools/mailbox/start-mailbox.ts');
  return await startMailbox(place);
}

function isInstalled(module: string): boolean {
  return existsSync(new URL(module, import.meta.url));
}
