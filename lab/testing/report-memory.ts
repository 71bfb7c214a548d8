import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into a server under test: answers `memory` and, after a garbage collection, `collected memory`.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('message', (message) => {
  if (message !== 'memory' && message !== 'collected memory') return;
  // Finalisers of the first collection free what only the second one finds.
  if (message === 'collected memory') for (let round = 0; round < 2; round += 1) collect();
  const { user, system } = process.cpuUsage();
  process.send?.({ memory: { ...process.memoryUsage(), cpuSeconds: (user + system) / 1_000_000 } });
});
// The message channel must not keep the server alive.
process.channel?.unref();
