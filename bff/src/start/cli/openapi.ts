import { mkdir, writeFile } from 'node:fs/promises';
import { describeApi } from '../api-page/open-api.ts';

const file = new URL('../../../../build/openapi.json', import.meta.url);
await mkdir(new URL('.', file), { recursive: true });
await writeFile(file, `${JSON.stringify(await describeApi(), null, 2)}\n`);
