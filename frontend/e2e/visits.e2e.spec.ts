import { expect, test } from './shop.ts';

test.use({ variables: { METRICS_TOKEN: 'a token for metrics' } });

test('how fast a page was for a visitor is counted when the page is left', async ({ page, shop }) => {
  await page.goto('/');
  await page.waitForResponse('**/assets/measure-visit-*.js');
  await page.getByRole('button', { name: '8 × 10 ft' }).click();
  await page.goto('/rugs-of-the-moon');
  const metrics = async () =>
    (await fetch(`${shop.url}/metrics`, { headers: { authorization: 'Bearer a token for metrics' } })).text();
  for (const name of ['largest_paint_seconds', 'interaction_seconds', 'layout_shift']) {
    await expect
      .poll(metrics, { intervals: [200] })
      .toMatch(new RegExp(`kilim_visit_${name}_count\\{page="/",device="phone"\\} [1-9]`));
  }
});
