import type { Origins } from '../core/http/origins.ts';
import { lineByLine } from '../core/runtime/standard-output.ts';
import type { Environment } from './env.ts';
import type { OpenedMail, OpenedSquare } from './start-peers.ts';
import type { Demo } from './trial-parts.ts';

type Announced = {
  readonly origins: Origins;
  readonly demo: Demo | undefined;
  readonly generatedPassword: string | undefined;
  readonly square: OpenedSquare;
  readonly mail: OpenedMail | undefined;
};

/** Prints the addresses, and the first password once. */
export function announce(
  { admin, production }: Environment,
  { origins, demo, generatedPassword, ...peers }: Announced,
): void {
  const { simulatorUrl } = peers.square;
  if (simulatorUrl !== undefined) say(`Local Square is ready (test cards only): ${simulatorUrl}`);
  if (peers.mail?.mailboxUrl !== undefined) say(`Mailbox is ready (nothing is delivered): ${peers.mail.mailboxUrl}`);
  if (demo !== undefined) say(`Demo marketing page is ready: ${demo.show(origins.shop)}`);
  if (!production) say(`Back office is at ${origins.office}/admin`);
  if (generatedPassword !== undefined) say(`Sign in as ${admin.username} with ${generatedPassword} (shown only now)`);
  say(`Kilim is ready: ${origins.shop}`);
}

/** Avoids `process.stdout`, which waits without end for a full pipe. */
function say(line: string): void {
  lineByLine.write(`${line}\n`);
}
