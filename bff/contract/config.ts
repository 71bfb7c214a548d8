import * as z from 'zod/mini';

export const dropOffSite = z.object({
  name: z.string(),
  note: z.string(),
  address: z.exactOptional(z.string()),
  hours: z.exactOptional(z.string()),
  link: z.exactOptional(z.string()),
});

export const config = z.object({
  square: z.object({
    applicationId: z.string(),
    locationId: z.string(),
    environment: z.enum(['simulator', 'sandbox', 'production']),
    scriptUrl: z.string(),
  }),
  parentOrigins: z.readonly(z.array(z.string())),
  abConversionUrl: z.nullable(z.string()),
  checkoutTopLevel: z.boolean(),
  business: z.object({
    name: z.string(),
    phone: z.string(),
    bookingUrl: z.string(),
    timeZone: z.string(),
    dropOffSites: z.readonly(z.array(dropOffSite)),
  }),
});
export type ConfigAnswer = z.input<typeof config>;
