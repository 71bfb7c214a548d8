import { formatDay } from '@kilim/domain/format-day';
import { isWaived, openRequest } from '@kilim/domain/intake/family';
import { formatDollars } from '@kilim/domain/money';
import type { OrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { formatSize } from '@kilim/domain/rug';
import type { MailKind } from '../../../contract/mails.ts';
import { addressed, type Compose, type ComposingWorld, type Letters } from '../../core/mail/compose.ts';
import { type Letter, type LetterPart, text } from '../../core/mail/letter.ts';
import { type FoundOrder, findOrder } from '../../core/queries/find-order.ts';
import type { SavedSettings } from '../../core/queries/saved-settings.ts';
import { type ReadFamily, readFamily } from '../family.ts';
import { supplementUrl } from '../http/intake-answer.ts';

type Facts = {
  readonly read: ReadFamily;
  readonly found: FoundOrder;
  readonly number: string;
  readonly world: ComposingWorld;
};

/** A letter is undefined when its step was undone, or a later step was recorded. */
type Write = (facts: Facts) => Letter | undefined;

export function lettersOfIntake(settings: SavedSettings): Letters {
  return {
    'rugs-received': composing(settings, rugsReceived),
    'difference-request': composing(settings, differenceRequest),
    'rugs-ready': composing(settings, rugsReady),
  } satisfies Partial<Record<MailKind, Compose>>;
}

function composing(settings: SavedSettings, write: Write): Compose {
  return async (world, { orderId }) => {
    if (orderId === undefined) return undefined;
    const read = await readFamily({ sql: world.sql, settings }, orderId);
    if (read === undefined) return undefined;
    const found = await findOrder(world.sql, orderId);
    const facts = { read, found, number: orderNumberOf(orderId as OrderId), world };
    return addressed(found.kept?.contact.email, write(facts));
  };
}

function rugsReceived({ read, found, number, world }: Facts): Letter | undefined {
  if (found.summary.stage !== 'received') return undefined;
  const { family, placed } = read;
  const sizes = family.order.measurements.at(-1)?.sizes ?? [];
  const { name } = world.settings().business;
  const request = openRequest(family);
  const unpaid = request ? `We clean them when you have paid the difference of ${formatDollars(request.amount)}. ` : '';
  return {
    subject: `We have your rugs: order ${number} at ${name}`,
    heading: 'Your rugs are here',
    parts: [
      text(`We have received and measured the rugs of your order ${number}.`),
      {
        kind: 'list',
        items: placed.rugs.map((rug, index) => {
          const measured = sizes[index] ?? rug;
          const isSame = measured.width === rug.width && measured.length === rug.length;
          return `Rug #${index + 1}: ${isSame ? formatSize(rug) : `${formatSize(measured)}, ordered ${formatSize(rug)}`}`;
        }),
      },
      text(`How we measure: ${world.settings().intake.measuring}`),
      text(`${unpaid}We write again when they are ready.`),
      ...callParts(world),
    ],
  };
}

function differenceRequest({ read, number, world }: Facts): Letter | undefined {
  const request = openRequest(read.family);
  if (request === undefined || isWaived(read.family.order)) return undefined;
  const amount = formatDollars(request.amount);
  const before = read.supplements.at(-2);
  const isReplacing =
    before !== undefined && read.family.supplements.get(before.orderId)?.refunds.captured === undefined;
  return {
    subject: `Please pay a difference of ${amount}: order ${number}`,
    heading: 'We measured your rugs',
    parts: [
      text(
        `We measured the rugs of your order ${number} when they arrived. They cost ${amount} more than you paid.`,
        'We clean them when you have paid the difference.',
        ...(isReplacing ? ['This replaces our earlier request.'] : []),
      ),
      { kind: 'link', text: `Look at it and pay ${amount}`, url: supplementUrl(world.urls.shop, request.supplementId) },
      text(`The link opens until ${formatDay(request.expiresOn)}.`),
      ...callParts(world),
    ],
  };
}

function rugsReady({ found, number, world }: Facts): Letter | undefined {
  if (found.summary.stage !== 'ready') return undefined;
  const isPickup = found.placed.deliveryOption === 'pickup';
  const { name, dropOffSites } = world.settings().business;
  const [site] = dropOffSites;
  const place =
    dropOffSites.length === 1 && site !== undefined
      ? ` at ${[site.name, site.address, site.hours].filter(Boolean).join(', ')}`
      : '';
  return {
    subject: `Your rugs are ready: order ${number} at ${name}`,
    heading: 'Your rugs are ready',
    parts: [
      text(
        `The rugs of your order ${number} are clean.`,
        isPickup ? 'We will agree with you on a day to bring them back.' : `You can collect them${place}.`,
      ),
      ...callParts(world),
    ],
  };
}

function callParts({ settings }: ComposingWorld): readonly LetterPart[] {
  const { phone } = settings().business;
  return phone === '' ? [] : [text(`Questions? Call us: ${phone}`)];
}
