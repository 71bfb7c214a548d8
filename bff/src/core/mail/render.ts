import { unreachable } from '@kilim/domain/unreachable';
import { html } from 'hono/html';
import type { AmountLine, Letter, LetterPart } from './letter.ts';

export type Sender = { readonly name: string; readonly phone: string };

export type Rendered = { readonly text: string; readonly html: string };

/** Everything is escaped: names and texts come from people. */
export function render(letter: Letter, sender: Sender): Rendered {
  return { text: textOf(letter, sender), html: htmlOf(letter, sender) };
}

function textOf({ heading, parts }: Letter, { name, phone }: Sender): string {
  const signature = ['-- ', name, ...(phone === '' ? [] : [phone])].join('\n');
  return `${[heading, ...parts.map(partText), signature].join('\n\n')}\n`;
}

function partText(part: LetterPart): string {
  switch (part.kind) {
    case 'text':
    case 'verbatim':
      return part.text;
    case 'heading':
      return part.text.toUpperCase();
    case 'list':
      return part.items.map((item) => `- ${item}`).join('\n');
    case 'amounts':
      return part.lines.map(lineText).join('\n');
    case 'link':
      return `${part.text}:\n${part.url}`;
    default:
      return unreachable(part);
  }
}

function lineText({ term, amount, note }: AmountLine): string {
  return `${note === undefined ? term : `${term} (${note})`}: ${amount}`;
}

// Mail programs know no style sheets and few properties, so each element has its own style.
const ink = '#211a14';
const soft = '#5a4f46';
const rule = '#e4dcd1';
const indigo = '#2d3a72';
const sans = '-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const paragraph = `margin:0 0 16px;line-height:1.5`;

function htmlOf({ subject, heading, parts }: Letter, { name, phone }: Sender): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0;background:#fbf8f3"><div role="main">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f3"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid ${rule};border-radius:10px"><tr><td style="padding:28px 24px;font:16px ${sans};color:${ink}">
<p style="margin:0 0 20px;color:${soft};font-size:14px">${name}</p>
<h1 style="margin:0 0 16px;font:600 24px/1.25 Georgia,serif">${heading}</h1>
${parts.map(partHtml)}
<p style="margin:28px 0 0;padding-top:16px;border-top:1px solid ${rule};color:${soft};font-size:14px;line-height:1.5">${name}${phone === '' ? '' : html`<br>${phone}`}</p>
</td></tr></table>
</td></tr></table>
</div></body>
</html>
`);
}

function partHtml(part: LetterPart) {
  switch (part.kind) {
    case 'text':
      return html`<p style="${paragraph}">${part.text}</p>`;
    case 'heading':
      return html`<h2 style="margin:24px 0 8px;font-size:16px">${part.text}</h2>`;
    case 'verbatim':
      return html`<pre style="${paragraph};font-size:12px;overflow-x:auto;white-space:pre-wrap">${part.text}</pre>`;
    case 'list':
      return html`<ul style="margin:0 0 16px;padding-left:20px;line-height:1.5">${part.items.map((item) => html`<li>${item}</li>`)}</ul>`;
    case 'amounts':
      return html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${part.lines.map(lineHtml)}</table>`;
    case 'link':
      return html`<p style="margin:24px 0"><a href="${part.url}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${indigo};color:#ffffff;text-decoration:none;font-weight:600">${part.text}</a></p>`;
    default:
      return unreachable(part);
  }
}

function lineHtml({ term, amount, note, isTotal }: AmountLine) {
  const weight = isTotal === true ? 'font-weight:600' : 'font-weight:400';
  const cell = `padding:8px 0;border-top:1px solid ${rule};vertical-align:top;${weight}`;
  return html`<tr><th scope="row" align="left" style="${cell}">${term}${
    note === undefined ? '' : html`<br><span style="color:${soft};font-size:14px;font-weight:400">${note}</span>`
  }</th><td align="right" style="${cell};white-space:nowrap">${amount}</td></tr>`;
}
