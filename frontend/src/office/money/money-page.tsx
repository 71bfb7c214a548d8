import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../shared/ui/card.module.css';
import { FiguresSection } from './figures.tsx';
import { figuresTexts } from './texts.ts';

export function MoneyPage() {
  usePageTitle(figuresTexts.title);
  return (
    <div className={cards.stack}>
      <FiguresSection />
    </div>
  );
}
