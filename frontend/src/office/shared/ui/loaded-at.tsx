import { usePageData } from '../../../shared/page-data.ts';
import cards from './card.module.css';
import { clockText } from './format.ts';

/** In the business's time zone. */
export function LoadedAt({ query }: { readonly query: { readonly dataUpdatedAt: number } }) {
  const { timeZone } = usePageData().config.business;
  if (query.dataUpdatedAt === 0) return null;
  return <span className={cards.note}>Loaded at {clockText(new Date(query.dataUpdatedAt), timeZone)}</span>;
}
