import type { Locator, Page } from '@playwright/test';

export const rugOf = (page: Page, number: number) => page.getByRole('region', { name: `Rug #${number}`, exact: true });
export const box = (rug: Locator, name: string) => rug.getByRole('textbox', { name });
export const chip = (rug: Locator) => rug.getByRole('button', { name: '8 × 10 ft' });
