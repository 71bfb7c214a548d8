import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createLogger } from '../runtime/logger.ts';
import { logAnswers } from './guards.ts';

const lines: Record<string, unknown>[] = [];
const log = createLogger({
  level: 'debug',
  destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
});
const app = new Hono<{ Variables: { requestId: string } }>()
  .use(logAnswers(log, () => ({ address: '203.0.113.77', network: '203.0.113.0/24' })))
  .get('/api/config', (c) => c.text('Too many', 429))
  .get('/api/receipts/:id', (c) => c.text('ok'))
  .get('/assets/*', (c) => c.text('Not found', 404));

async function lineFor(path: string): Promise<Record<string, unknown>> {
  await app.request(path);
  return lines.at(-1) ?? {};
}

test('the log names the route pattern of a known path, and never the id in it', async () => {
  const line = await lineFor('/api/receipts/5b2f0c9e1d3a4f60?email=ada@example.com');
  expect(line).toMatchObject({ method: 'GET', route: '/api/receipts/:id', status: 200 });
  expect(line).not.toHaveProperty('path');
  expect(JSON.stringify(line)).not.toMatch(/5b2f0c9e|ada/);
});

test('of a path without a route of its own, the log has at most 100 characters, with ids shortened', async () => {
  expect(await lineFor('/assets/entry-1.js')).toMatchObject({ route: '/assets/*', path: '/assets/entry-1.js' });
  expect(await lineFor('/payments/5b2f0c9e1d3a4f60?token=secret')).toMatchObject({ path: '/payments/5b2f0c9e…' });
  expect(String((await lineFor(`/${'a!'.repeat(5000)}`))['path']).length).toBeLessThanOrEqual(101);
  const hidden = await lineFor(`/${'!'.repeat(90)}5b2f0c9e1d3a4f605b2f0c9e1d3a4f60`);
  expect(hidden['path']).not.toContain('5b2f0c9e1');
});

test('refusals of one network leave one line a minute, so that a flood does not push out other lines', async () => {
  lines.length = 0;
  for (let time = 0; time < 100; time += 1) await app.request('/api/config');
  await app.request('/assets/entry-1.js');
  expect(lines.map(({ route, status }) => [route, status])).toEqual([
    ['/api/config', 429],
    ['/assets/*', 404],
  ]);
});

/** Other programs do not lengthen this thread's processor time. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

test.each(['!', '@', '.', '~', '=', '*', '%21', '!@', 'a'])(
  'a path of 15,000 characters of "%s" costs less than 20 ms of processor time',
  async (part) => {
    const path = `/${part.repeat(15_000 / part.length)}`;
    const milliseconds: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const began = cpuMilliseconds();
      await app.request(path);
      milliseconds.push(cpuMilliseconds() - began);
    }
    // Garbage may be collected in between.
    expect(Math.min(...milliseconds)).toBeLessThan(20);
  },
);
