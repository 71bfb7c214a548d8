import type { PageData } from '@kilim/bff/contract/page-data';
import { builtInSettings } from '../../bff/src/core/http/office/built-in-settings.ts';

/** Of a shop that tells nothing but `business`. */
export function pageDataOf(business: Partial<PageData['config']['business']> = {}): PageData {
  return {
    settings: builtInSettings,
    config: {
      square: { applicationId: '', locationId: '', environment: 'sandbox', scriptUrl: '' },
      parentOrigins: [],
      abConversionUrl: null,
      checkoutTopLevel: false,
      business: {
        ...{ name: 'Kilim', phone: '', bookingUrl: '', timeZone: 'America/Los_Angeles', dropOffSites: [] },
        ...business,
      },
    },
  };
}
