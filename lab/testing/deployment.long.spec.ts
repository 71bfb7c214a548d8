import { execFile, execFileSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// A tool that is not installed is skipped; Debian has all: apt-get install prometheus prometheus-alertmanager caddy haproxy systemd
// docker-compose

const domains = { DOMAIN: 'shop.example.com', OFFICE_DOMAIN: 'office.example.com' };
const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const deploy = join(root, 'deploy');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kilim-deploy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * @returns what the checker printed.
 * @throws Error with it when the checker fails.
 */
async function check(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout, stderr } = await run(program, args, { cwd: root, env: { ...process.env, ...env } });
  return stdout + stderr;
}

describe.skipIf(!has('promtool'))('promtool', () => {
  test('accepts the rules, and they fire when they should', async () => {
    expect(await check('promtool', ['check', 'rules', join(deploy, 'prometheus/kilim.rules.yml')])).toContain(
      'SUCCESS',
    );
    for (const file of ['kilim.rules.test.yml', 'kilim.day.test.yml'])
      expect(await check('promtool', ['test', 'rules', join(deploy, 'prometheus', file)])).toContain('SUCCESS');
  });

  test.skipIf(!has('amtool'))('amtool accepts the configuration of Alertmanager', async () => {
    const file = join(deploy, 'alertmanager/alertmanager.yml');
    expect(await check('amtool', ['check-config', file])).toContain('SUCCESS');
  });

  test('accepts the configuration of Prometheus', async () => {
    const file = join(deploy, 'prometheus/prometheus.yml');
    expect(await check('promtool', ['check', 'config', '--syntax-only', file])).toContain('SUCCESS');
  });
});

test.skipIf(!has('caddy'))('caddy accepts the Caddyfile', async () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'Caddyfile')];
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  expect(await check('caddy', args, { ...domains, ...home })).toContain('Valid configuration');
});

test.skipIf(!has('haproxy') || !has('openssl'))('haproxy accepts its configuration', async () => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=kilim'];
  await run('openssl', [...made, '-keyout', key, '-out', certificate]);
  const both = join(folder, 'kilim.pem');
  await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')));
  const text = await readFile(join(deploy, 'haproxy/haproxy.cfg'), 'utf8');
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, text.replaceAll('/etc/haproxy/kilim.pem', both));
  expect(await check('haproxy', ['-c', '-f', file])).toContain('Configuration file is valid');
});

test.skipIf(!has('systemd-analyze'))('systemd accepts the units', async () => {
  for (const name of await readdir(join(deploy, 'systemd'))) {
    const text = await readFile(join(deploy, 'systemd', name), 'utf8');
    await writeFile(join(folder, name.replace('@', '@8081')), text.replaceAll('/opt/kilim', root.replace(/\/$/, '')));
  }
  for (const unit of ['kilim@8081.service', 'kilim-backup.service', 'kilim-backup.timer']) {
    // What a machine has besides our units may have faults of its own.
    const told = await check('systemd-analyze', ['verify', join(folder, unit)], { SYSTEMD_UNIT_PATH: `${folder}:` });
    expect(told.split('\n').filter((line) => line.includes('kilim'))).toEqual([]);
  }
});

test.skipIf(!has('docker-compose'))('docker-compose accepts the trial and the installation', async () => {
  await check('docker-compose', ['config', '--quiet']);
  const files = ['-f', 'docker-compose.yml', '-f', 'deploy/compose.yml'];
  const shown = await check('docker-compose', [...files, 'config'], domains);
  // Any number of servers can run, because none takes a port of the machine.
  expect(/\n {2}bff:\n([\s\S]*?)\n {2}\w+:\n/.exec(shown)?.[1]).not.toContain('ports:');
});

test('the shell scripts have no syntax errors', async () => {
  for (const script of ['make-secrets.sh', 'backup/backup.sh', 'backup/nightly.sh', 'backup/restore.sh'])
    await check('sh', ['-n', join(deploy, script)]);
});

test.skipIf(!has('openssl'))('make-secrets makes secrets that a server accepts, and never changes one', async () => {
  const script = join(folder, 'make-secrets.sh');
  await cp(join(deploy, 'make-secrets.sh'), script);
  await chmod(script, 0o755);
  const told = await check(script, []);
  expect(told).toContain("Write Square's value into deploy/secrets/square-access-token");
  const secrets = join(folder, 'secrets');
  const database = await readFile(join(secrets, 'database-url'), 'utf8');
  expect(await check(script, [])).not.toContain('Made');
  expect(await readFile(join(secrets, 'database-url'), 'utf8')).toBe(database);
  expect(database).toContain((await readFile(join(secrets, 'app-password'), 'utf8')).trim());
  const { readSecretFiles } = await import('../../bff/src/core/runtime/secret-files.ts');
  const { ledgerSigner } = await import('../../bff/src/proof/signing-key.ts');
  const read = readSecretFiles({ LEDGER_SIGNING_KEY_FILE: join(secrets, 'ledger-signing-key') });
  expect(read.ok && ledgerSigner(read.value['LEDGER_SIGNING_KEY'] ?? '', 'Test').privateKey).toBeDefined();
});
