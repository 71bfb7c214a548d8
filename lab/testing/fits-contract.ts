import { isDeepStrictEqual } from 'node:util';
import { type Call, problemStatuses } from '@kilim/bff/contract/call';
import { calls } from '@kilim/bff/contract/calls';
import { problem } from '@kilim/bff/contract/problem';
import * as z from 'zod/mini';

/**
 * @throws Error that names the call, the status and the difference, for an answer that the contract does not describe.
 */
export async function checkFitsContract(method: string, path: string, answer: Response): Promise<void> {
  const call = callOf(method, path);
  if (call === undefined) return;
  const schema = call.answers[answer.status];
  const type = answer.headers.get('content-type') ?? '';
  if (!/^application\/json(;|$)/.test(type)) {
    const isDescribed =
      schema === null ||
      (schema !== undefined && 'mediaType' in schema && type.startsWith(schema.mediaType.replace('*/*', '')));
    if (!isDescribed) throw new Error(`${method} ${path}: the contract has no ${answer.status} ${type}`);
    return;
  }
  const sent: unknown = await answer.clone().json();
  const isProblem = problemStatuses(call).has(answer.status);
  const candidates = [schema, isProblem ? problem : undefined].filter((one) => isSchema(one));
  if (candidates.some((candidate) => describes(candidate, sent))) return;
  throw new Error(`${method} ${path}: the contract has no such ${answer.status}: ${JSON.stringify(sent)}`);
}

function isSchema(answer: Call['answers'][number] | undefined): answer is z.ZodMiniType {
  return answer !== undefined && answer !== null && '_zod' in answer;
}

/** Reading and sending it again gives the same JSON: no field is unknown and no number is rounded. */
function describes(schema: z.ZodMiniType, sent: unknown): boolean {
  const read = z.safeDecode(schema, sent);
  return read.success && isDeepStrictEqual(JSON.parse(JSON.stringify(z.encode(schema, read.data))), sent);
}

const patterns = Object.entries<Call>(calls).map(([name, call]) => {
  const [method = '', path = ''] = name.split(' ');
  return { method, path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`), call };
});

function callOf(method: string, path: string): Call | undefined {
  const [bare = ''] = path.split('?');
  return patterns.find((pattern) => pattern.method === method && pattern.path.test(bare))?.call;
}
