import { shortestPassword } from '@kilim/domain/people/password';
import { judgeAddress } from '../../core/database/database-address.ts';
import type { Diagnosis } from '../../core/runtime/diagnosis.ts';
import { weaknessOf } from '../../people/sign-in/password-strength.ts';
import type { Environment } from '../env.ts';

/** 16 random letters and digits cannot be guessed through the network. */
const shortestToken = 16;

/** Production refuses guessable secrets. */
export function checkSecrets({ server, admin, square }: Environment): readonly Diagnosis[] {
  const found: Diagnosis[] = [];
  if (square.webhookSignatureKey === undefined) {
    found.push({
      level: 'warning',
      variable: 'SQUARE_WEBHOOK_SIGNATURE_KEY',
      problem: 'it is not set, so notifications from Square are refused, and changes there are found minutes later.',
      remedy: "Copy it from the webhook subscription in Square's developer console.",
    });
  }
  if (server.metricsToken !== undefined && server.metricsToken.length < shortestToken) {
    found.push({
      level: 'warning',
      variable: 'METRICS_TOKEN',
      problem: `it has ${server.metricsToken.length} characters, so the metrics can be read by guessing.`,
      remedy: `Set it to at least ${shortestToken} random characters, for example from: openssl rand -hex 16`,
    });
  }
  if (admin.password !== undefined && [...admin.password].length < shortestPassword) {
    found.push(weakPassword(`it has fewer than ${shortestPassword} characters.`));
  }
  return found;
}

/** Refused ones stop the start. */
export function checkAddresses({ database }: Environment): readonly Diagnosis[] {
  const addresses = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: database.migrationUrl };
  return Object.entries(addresses).flatMap(([variable, url]) =>
    judgeAddress(url ?? '').ignored.map(
      (problem): Diagnosis => ({ level: 'warning', variable, problem: `${problem}.`, remedy: 'Remove it.' }),
    ),
  );
}

/** A tunnel or a proxy may have another name. */
export function checkWebhookAddress({ server, square }: Environment): readonly Diagnosis[] {
  const [shop, webhook] = [server.publicUrl, square.webhookUrl].map((url) => url && new URL(url).host);
  if (shop === undefined || webhook === undefined || shop === webhook) return [];
  return [
    {
      level: 'warning',
      variable: 'SQUARE_WEBHOOK_URL',
      problem: `it names the host ${webhook}, and PUBLIC_URL names ${shop}, so Square's notifications may not arrive.`,
      remedy: 'Set it to the address that is registered at Square, and check that this address leads here.',
    },
  ];
}

/** Estimates the password's strength too, which takes half a second. */
export async function checkSecretsThoroughly(environment: Environment): Promise<readonly Diagnosis[]> {
  const quick = checkSecrets(environment);
  const { username, password } = environment.admin;
  if (password === undefined || quick.some(({ variable }) => variable === 'ADMIN_PASSWORD')) return quick;
  const weakness = await weaknessOf(password, [username]);
  return weakness === undefined ? quick : [...quick, weakPassword(`it is easy to guess.`)];
}

function weakPassword(problem: string): Diagnosis {
  return {
    level: 'warning',
    variable: 'ADMIN_PASSWORD',
    problem,
    remedy: 'Production refuses it. Choose a longer one, or change it with: npm run admin -- reset-password',
  };
}
