import { flushCompileCache } from 'node:module';

// When the test's process is gone, even after `kill -9`, its message channel breaks and the server ends.

if (!process.connected) process.exit(1);
process.once('disconnect', () => process.exit(1));
// The message channel must not keep the server alive.
process.channel?.unref();

// A killed process never writes the compile cache, so write it early.
setTimeout(flushCompileCache, 2000).unref();
