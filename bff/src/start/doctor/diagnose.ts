import { checkWitnesses, ruleOfWitnesses } from '../../proof/check-witnesses.ts';
import { openWitnesses } from '../../proof/witness/open-witnesses.ts';
import { usesDataDir } from '../check/check-at-start.ts';
import { checkDataDir } from '../check/check-disk.ts';
import { checkMail, ruleOfMail } from '../check/check-mail.ts';
import { checkPort, isKilim, type PortPlace } from '../check/check-port.ts';
import { checkSquare } from '../check/check-square.ts';
import { checkAddresses, checkSecretsThoroughly, checkWebhookAddress } from '../check/check-variables.ts';
import type { Environment } from '../env.ts';
import { findSquare } from '../start-peers.ts';
import { checkDatabases } from './check-databases.ts';
import type { Tell } from './checked.ts';

/** Changes nothing. */
export async function diagnose(environment: Environment, tell: Tell): Promise<void> {
  tell({ rule: 'The passwords and tokens are hard to guess', found: await checkSecretsThoroughly(environment) });
  tell({ rule: 'All parameters of the database addresses take effect', found: checkAddresses(environment) });
  tell({ rule: "Square's notifications go to the host of PUBLIC_URL", found: checkWebhookAddress(environment) });
  const { dataDir } = environment;
  if (usesDataDir(environment)) {
    tell({ rule: `DATA_DIR can be written to, and its disk has room`, found: await checkDataDir(dataDir) });
  }
  const witnesses = await openWitnesses(environment.ledger.witnesses);
  tell({ rule: ruleOfWitnesses(witnesses), found: checkWitnesses(witnesses, environment.production) });
  tell({ rule: ruleOfMail(environment), found: await checkMail(environment) });
  await checkDatabases(environment, tell);
  await checkCards(environment, tell);
  await checkPorts(environment, tell);
}

async function checkCards(environment: Environment, tell: Tell): Promise<void> {
  const square = await findSquare(environment);
  if (square === undefined) {
    tell({ rule: 'The local Square starts with the server, so there is nothing to check', found: [] });
    return;
  }
  const found = await checkSquare(square.card, new Date());
  tell({ rule: 'Square accepts the token with all its rights, and the location takes cards in USD', found });
}

async function checkPorts(
  { server, square, embedding, ownMailbox, production }: Environment,
  tell: Tell,
): Promise<void> {
  const { host, port } = server;
  if (port !== 0 && (await isKilim({ host, port }))) {
    tell({ rule: `A Kilim serves on port ${port}`, found: [] });
    return;
  }
  const places: readonly PortPlace[] = [
    { variable: 'PORT', host, port },
    { variable: 'OFFICE_PORT', host, port: server.officePort ?? 0 },
    { variable: 'SIMULATOR_PORT', host, port: square.ownSimulator?.port ?? 0 },
    { variable: 'MAILBOX_PORT', host, port: ownMailbox?.port ?? 0 },
    { variable: 'DEMO_PARENT_PORT', host, port: production ? 0 : embedding.demoParentPort },
  ];
  for (const place of places) {
    if (place.variable !== 'PORT' && place.port === 0) continue;
    tell({ rule: `${place.variable} can be listened on`, found: await checkPort(place) });
  }
}
