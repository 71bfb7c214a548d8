import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { apiPage } from './api-page.ts';
import { describeApi } from './open-api.ts';

test('the description is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const description = JSON.parse(JSON.stringify(await describeApi())) as Record<string, unknown>;
  const validator = new Validator();
  expect(await validator.validate(description)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(() => validator.resolveRefs()).not.toThrow();
});

test('the developers’ page shows every call, and its policy allows no script', async () => {
  const answer = await apiPage().request('/dev/api');
  const text = await answer.text();
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'",
  );
  for (const path of Object.keys((await describeApi()).paths)) expect(text).toContain(path);
});
