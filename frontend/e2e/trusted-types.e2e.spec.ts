import { expect, test } from './shop.ts';

test.use({ variables: { METRICS_TOKEN: 'a token for metrics' } });

/** All other files test the pages' own use: a blocked sink fails them. */
test('no text can become script on the shop’s pages, and the browser reports the attempt @phone', async ({
  page,
  shop,
}) => {
  for (const path of ['/', '/checkout', '/payment-success', '/nothing']) {
    await page.goto(path);
    const refusals = await page.evaluate(() => {
      const attempt = (sink: () => void) => {
        try {
          sink();
          return 'allowed';
        } catch (error) {
          return error instanceof TypeError ? 'refused' : 'another error';
        }
      };
      return [
        attempt(() => {
          document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>';
        }),
        attempt(() => {
          document.createElement('script').src = 'https://evil.example/x.js';
        }),
      ];
    });
    expect(refusals, path).toEqual(['refused', 'refused']);
  }
  const metrics = async () =>
    (await fetch(`${shop.url}/metrics`, { headers: { authorization: 'Bearer a token for metrics' } })).text();
  await expect
    .poll(metrics, { intervals: [200] })
    .toMatch(/kilim_csp_reports_total\{directive="require-trusted-types-for"\} [1-9]/);
});
