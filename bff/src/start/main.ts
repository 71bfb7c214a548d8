import { accounting, payoutRecorder } from '../accounting/room.ts';
import type { Room } from '../core/room.ts';
import { intake } from '../intake/room.ts';
import { adoptAccounts, ensureFirstAdministrator, openDoor, people, refundWithinLimits } from '../people/room.ts';
import {
  authenticateAppends,
  macKeyOf,
  openSigningKey,
  openWitnesses,
  proof,
  reading,
  signingKeyPlace,
  type WithReader,
} from '../proof/room.ts';
import { isStolenOf, secondFactorOf } from './options.ts';
import { run } from './run.ts';
import { openCore, openPeers, startServer } from './start-server.ts';

// The entry point of the server, and the only file that knows all rooms.

await run(async (environment, log, { closing }) => {
  const started = { environment, log, closing };
  const { production } = environment;
  const peers = await openPeers(started);
  const { serving: sql, throttling } = peers.pools;

  // Proof: before anything is appended.
  const signer = await openSigningKey(signingKeyPlace(environment));
  authenticateAppends(sql, macKeyOf(signer));
  const witnesses = await openWitnesses(environment.ledger.witnesses);

  // The core, with the rules of the rooms.
  const core = await openCore(started, peers, { refundWithin: refundWithinLimits, payouts: payoutRecorder });
  const { world, timeZone, settings } = core;
  const { registry } = core.metrics;

  // People: who may use the back office.
  await adoptAccounts(world);
  const generatedPassword = await ensureFirstAdministrator(sql, { ...environment.admin, production });
  const door = openDoor({
    ...{ world, timeZone, settings },
    counting: { sql: throttling, secret: environment.square.accessToken },
    secondFactor: secondFactorOf(environment),
    isStolen: isStolenOf(environment, log),
  });

  const needsWitness = environment.server.officeUrl?.startsWith('https:') === true;
  const { url } = peers.database;
  const withReader: WithReader = (use) => reading({ url, role: 'kilim_server' }, use);
  const rooms: readonly Room[] = [
    people(sql),
    intake({ world, settings, timeZone }),
    proof({ world, withReader, signer, witnesses, needsWitness, production, registry }),
    accounting({ world, timeZone, signer, witnesses, accountant: peers.mail?.place.accountantTo, registry }),
  ];
  await startServer(started, peers, { ...core, rooms, openDoor: door, generatedPassword });
});
