import { writeFile } from 'node:fs/promises';
import { describeApi } from '../http/site/open-api.ts';

/** `npm run openapi`: writes the contract as OpenAPI 3.1. */
await writeFile(
  new URL('../../../docs/openapi.json', import.meta.url),
  `${JSON.stringify(await describeApi(), null, 2)}\n`,
);
