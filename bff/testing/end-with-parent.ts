import { flushCompileCache } from 'node:module';

// Loaded before a server that a test or a campaign starts: when whoever started it is gone, by `kill -9` too, the channel to it breaks, and
// the server ends. It must leave nobody behind.

if (!process.connected) process.exit(1);
process.once('disconnect', () => process.exit(1));
// Whoever listens must not be what keeps the server alive.
process.channel?.unref();

// Where what was compiled is kept, it is written down when a process ends. One that is killed leaves nothing, and the next would compile
// everything again.
setTimeout(flushCompileCache, 2000).unref();
