import { Hono } from 'hono';
import { html } from 'hono/html';
import type { KeptMail } from './kept-mail.ts';
import { faultyAddresses } from './mail-faults.ts';

type Html = ReturnType<typeof html>;

export function mailboxApp(mails: () => readonly KeptMail[]): Hono {
  const find = (number: string) => mails().find((mail) => String(mail.number) === number);
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
    // As mail programs do: without scripts and without loading anything.
    c.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'");
  });
  app.get('/', (c) => c.html(listPage(mails().toReversed())));
  app.get('/mails', (c) => c.json(mails()));
  app.get('/mails/:number', (c) => {
    const mail = find(c.req.param('number'));
    return mail === undefined ? c.html(notFoundPage, 404) : c.html(mailPage(mail));
  });
  app.get('/mails/:number/html', (c) => {
    const mail = find(c.req.param('number'));
    return mail === undefined ? c.html(notFoundPage, 404) : c.html(mail.html);
  });
  app.get('/mails/:number/source', (c) => {
    const mail = find(c.req.param('number'));
    return mail === undefined ? c.text('There is no such mail.', 404) : c.text(mail.source);
  });
  return app;
}

const style = html`<style>
  body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: #fbf8f3; color: #211a14; font: 1rem/1.5 system-ui, sans-serif; }
  .notice { border: 2px solid #a3341f; border-radius: 10px; padding: 0.75rem 1rem; background: #fff; font-weight: 600; }
  a { color: #2d3a72; }
  .mails { list-style: none; padding: 0; }
  .mails a { display: block; padding: 0.75rem 1rem; margin-bottom: 0.5rem; border: 1px solid #e4dcd1; border-radius: 10px; background: #fff; text-decoration: none; overflow-wrap: anywhere; }
  .mails strong, .mails span { display: block; }
  .mails span, dt { color: #5a4f46; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
  dd { margin: 0; overflow-wrap: anywhere; }
  iframe { width: 100%; height: 48rem; border: 1px solid #e4dcd1; border-radius: 10px; background: #fff; }
  pre { overflow-x: auto; padding: 1rem; border: 1px solid #e4dcd1; border-radius: 10px; background: #fff; white-space: pre-wrap; overflow-wrap: anywhere; }
  code { font-family: ui-monospace, monospace; }
</style>`;

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`;
}

function listPage(mails: readonly KeptMail[]): Html {
  return page(
    `Mailbox (${mails.length})`,
    html`<h1>Local mailbox</h1>
      <p class="notice">Mails of this server arrive here. None is delivered to anybody.</p>
      ${mails.length === 0 ? html`<p>There is no mail yet. Place an order.</p>` : ''}
      <ul class="mails">
        ${mails.map(
          (mail) =>
            html`<li><a href="/mails/${mail.number}"><strong>${mail.subject}</strong><span>to ${mail.to.join(', ')}, ${timeText(mail.at)}</span></a></li>`,
        )}
      </ul>
      <h2>To see things go wrong</h2>
      <p>Order with one of these email addresses, at any domain:</p>
      <ul>
        ${faultyAddresses.map(({ name, text }) => html`<li><code>${name}@example.com</code>: ${text}</li>`)}
      </ul>`,
  );
}

function mailPage(mail: KeptMail): Html {
  return page(
    mail.subject,
    html`<p><a href="/">All mails</a></p>
      <h1>${mail.subject}</h1>
      <dl>
        <dt>From</dt><dd>${mail.from}</dd>
        <dt>To</dt><dd>${mail.to.join(', ')}</dd>
        <dt>Date</dt><dd>${timeText(mail.at)}</dd>
        <dt>Message-ID</dt><dd>${mail.messageId}</dd>
        ${mail.attachments.map(({ fileName }) => html`<dt>Attached</dt><dd>${fileName}</dd>`)}
      </dl>
      <iframe title="The mail" sandbox="allow-popups" src="/mails/${mail.number}/html"></iframe>
      <h2>As text</h2>
      <pre>${mail.text}</pre>
      <p><a href="/mails/${mail.number}/source">Source</a></p>`,
  );
}

const notFoundPage = page('No such mail', html`<h1>There is no such mail</h1><p><a href="/">All mails</a></p>`);

function timeText(at: Date): string {
  return at.toISOString().replace('T', ' ').slice(0, 'yyyy-mm-dd hh:mm:ss'.length);
}
