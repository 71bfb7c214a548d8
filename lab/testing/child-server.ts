import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The real server in its own process. */
export type ChildServer = StartingServer & {
  readonly url: string;
  readonly officeUrl: string;
};

/** It may not be ready yet. */
export type StartingServer = {
  readonly output: () => string;
  /** SIGKILL. */
  readonly kill: () => Promise<void>;
  /**
   * SIGTERM, as an operator does.
   * @returns the exit code.
   */
  readonly stop: () => Promise<number | null>;
  readonly ended: Promise<number | null>;
  /** For messages to and from the loaders' modules. */
  readonly process: ChildProcess;
};

export type ChildServerOptions = {
  readonly loaders?: readonly string[];
  /** Of another checkout. Absent: this one. */
  readonly root?: string | undefined;
  readonly flags?: readonly string[];
};

/** The back office has an origin of its own. */
export function addressOf({ url, officeUrl }: Pick<ChildServer, 'url' | 'officeUrl'>, path: string): string {
  return `${/^\/(api\/)?admin\b/.test(path) ? officeUrl : url}${path}`;
}

const ownRoot = fileURLToPath(new URL('../..', import.meta.url));
const endWithParent = fileURLToPath(new URL('./end-with-parent.ts', import.meta.url));
/** Compilation takes half of a start. */
const codeCache = fileURLToPath(new URL('../../build/code-cache', import.meta.url));
const readyWithinMs = 60_000;

export async function startChildServer(
  variables: Readonly<Record<string, string>>,
  options: ChildServerOptions = {},
): Promise<ChildServer> {
  const starting = spawnServer(variables, options);
  const url = await ready(starting.process, starting.output);
  const officeUrl = /^Back office is at (https?:\/\/[^/\s]+)/m.exec(starting.output())?.[1] ?? url;
  return { ...starting, url, officeUrl };
}

export function spawnServer(
  variables: Readonly<Record<string, string>>,
  { loaders = [], root = ownRoot, flags = [] }: ChildServerOptions = {},
): StartingServer {
  const { NODE_ENV: _, ...inherited } = process.env;
  const imports = [endWithParent, ...loaders].map((module) => `--import=${module}`);
  const child = spawn(process.execPath, [...flags, ...imports, join(root, 'bff/src/start/main.ts')], {
    env: {
      ...inherited,
      PORT: '0',
      OFFICE_PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      NODE_COMPILE_CACHE: codeCache,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    process: child,
    ended,
    output: () => output,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function ready(child: ChildProcess, output: () => string): Promise<string> {
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const url = /^Kilim is ready: (\S+)$/m.exec(output())?.[1];
    if (url !== undefined) return url;
    const isGone = child.exitCode !== null || child.signalCode !== null;
    if (isGone || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The server is not ready:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
