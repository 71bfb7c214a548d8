import { flushCompileCache } from 'node:module';

// Loaded into each server that a test starts. When the test's process is gone, even after `kill
// -9`, its message channel breaks and the server ends. So no server outlives its test.

if (!process.connected) process.exit(1);
process.once('disconnect', () => process.exit(1));
// The message channel must not keep the server alive.
process.channel?.unref();

// Node writes the compile cache when a process ends. A killed process never does, so write it early.
setTimeout(flushCompileCache, 2000).unref();
