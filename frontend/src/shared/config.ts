import type { ConfigAnswer } from '@kilim/bff/contract/config';
import { fieldsOf } from './settings.ts';

/** `GET /api/config`: how to pay, and who the business is. */
export type Config = ConfigAnswer;

/** Undefined unless all of it is valid. Without zod, which every page's first load would then contain. */
export function configOf(given: unknown): Config | undefined {
  const { square, parentOrigins, abConversionUrl, checkoutTopLevel, business } = fieldsOf(given);
  const sites = fieldsOf(business)['dropOffSites'];
  const isConfig =
    hasTexts(square, ['applicationId', 'locationId', 'environment', 'scriptUrl']) &&
    hasTexts(business, ['name', 'phone', 'bookingUrl', 'timeZone']) &&
    Array.isArray(sites) &&
    sites.every((site) =>
      hasTexts({ address: '', hours: '', link: '', ...fieldsOf(site) }, ['name', 'note', 'address', 'hours', 'link']),
    ) &&
    Array.isArray(parentOrigins) &&
    parentOrigins.every((origin) => typeof origin === 'string') &&
    (abConversionUrl === null || typeof abConversionUrl === 'string') &&
    typeof checkoutTopLevel === 'boolean';
  return isConfig ? (given as Config) : undefined;
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  const fields = fieldsOf(value);
  return names.every((name) => typeof fields[name] === 'string');
}
