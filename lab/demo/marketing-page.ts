import { html } from 'hono/html';

/** With the form in its frame. */
export type Cooperation =
  /** `embed.js` does everything. */
  | 'script'
  /** A plain frame and the specification's messages. */
  | 'own-bar'
  /** A plain frame and nothing else. */
  | 'silent';

export function marketingPage(orders: string, cooperation: Cooperation) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Oriental rugs, washed by hand | Kilim Rug Care</title>
        <link rel="stylesheet" href="/demo/demo.css">
        ${cooperation === 'script' ? html`<script async src="${orders}/embed.js"></script>` : ''}
      </head>
      <body>
        ${siteHeader}
        <main>
          ${opening}
          <section class="order" id="order" aria-label="Order your cleaning">
            ${embedded(orders, cooperation)}
          </section>
          ${questions} ${visit}
        </main>
        ${siteFooter}
        ${cooperation === 'own-bar' ? html`<script src="/demo/own-bar.js" data-orders="${orders}"></script>` : ''}
        ${cooperation === 'script' ? html`<script src="/demo/order-events.js"></script>` : ''}
      </body>
    </html>`;
}

function embedded(orders: string, cooperation: Cooperation) {
  if (cooperation === 'script') {
    return html`<rug-order src="${orders}/" title="Rug cleaning order form">
        <a href="${orders}/">Order rug cleaning online</a>
      </rug-order>
      <p class="placed" role="status" hidden></p>`;
  }
  return html`<iframe src="${orders}/" title="Rug cleaning order form" allow="payment"></iframe>
    ${cooperation === 'own-bar' ? html`<nav class="own-bar" aria-label="Your order" hidden></nav>` : ''}`;
}

const siteHeader = html`<header class="site-header">
  <p class="brand">Kilim Rug Care</p>
  <nav aria-label="Site">
    <a href="#washing">How we wash</a>
    <a href="#order">Order</a>
    <a href="#questions">Questions</a>
  </nav>
</header>`;

const opening = html`<section class="hero">
    <p class="eyebrow">A demonstration of our form in a company's own page</p>
    <h1>Your rug, washed the way it was woven: by hand.</h1>
    <p class="lead">
      Wool, silk or cotton, from an afternoon's dust to forty years of wear. Measure it roughly, order it here, and we do the
      rest.
    </p>
    <a class="call" href="#order">Price my rugs</a>
  </section>
  <section class="steps" id="washing" aria-labelledby="washing-heading">
    <h2 id="washing-heading">How we wash</h2>
    <ol>
      <li>
        <h3>Look</h3>
        <p>Every rug is inspected in daylight. We measure it, test its dyes and tell you what we find before water touches it.</p>
      </li>
      <li>
        <h3>Dust</h3>
        <p>Most of what makes a rug heavy is dry. It is shaken out from the back, slowly, until nothing falls any more.</p>
      </li>
      <li>
        <h3>Wash</h3>
        <p>Soft water and plain soap, with the pile and never against it, then rinsed until the water runs clear.</p>
      </li>
      <li>
        <h3>Dry</h3>
        <p>Flat, in moving air, without heat, so that the foundation keeps its shape and the fringe stays white.</p>
      </li>
    </ol>
  </section>`;

const questions = html`<section class="questions" id="questions" aria-labelledby="questions-heading">
  <h2 id="questions-heading">Questions people ask</h2>
  <details>
    <summary>I do not know the exact size. Can I order all the same?</summary>
    <p>Yes. An estimate is enough; our technicians measure every rug when it arrives.</p>
  </details>
  <details>
    <summary>How is a rug collected?</summary>
    <p>With White Glove Pickup &amp; Delivery we come within 1-5 days, and carry it back to the room that it came from.</p>
  </details>
  <details>
    <summary>Which service do I need?</summary>
    <p>Compare the three side by side in the form above. Premium includes stain protection.</p>
  </details>
</section>`;

const visit = html`<section class="visit" aria-labelledby="visit-heading">
  <h2 id="visit-heading">Come by</h2>
  <p>West LA by appointment only. In the Valley, walk-ins are welcome.</p>
</section>`;

const siteFooter = html`<footer class="site-footer">
  <p>This page is a demonstration. It shows the same form in three ways:</p>
  <ul>
    <li><a href="/demo/embed">with the embed script</a></li>
    <li><a href="/demo/embed?script=none">in a plain frame, with a bar of the page's own</a></li>
    <li><a href="/demo/embed?script=silent">in a plain frame that nobody speaks with</a></li>
  </ul>
</footer>`;
