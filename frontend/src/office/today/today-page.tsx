import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../shared/ui/card.module.css';
import { AttentionCard } from './attention-card.tsx';
import { FiguresSection } from './figures.tsx';
import { figuresTexts } from './texts.ts';

export function TodayPage() {
  usePageTitle(figuresTexts.title);
  return (
    <div className={cards.stack}>
      <AttentionCard />
      <FiguresSection />
    </div>
  );
}
