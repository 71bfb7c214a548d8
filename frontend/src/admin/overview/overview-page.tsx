import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../ui/card.module.css';
import { AttentionCard } from './attention-card.tsx';
import { FiguresSection } from './figures.tsx';
import { figuresTexts } from './texts.ts';

/** The first page after the sign-in: what needs a person, and the figures. */
export function OverviewPage() {
  usePageTitle(figuresTexts.title);
  return (
    <div className={cards.stack}>
      <AttentionCard />
      <FiguresSection />
    </div>
  );
}
