import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../ui/card.module.css';
import { ClosingCard } from './closing-card.tsx';
import { ExportCard } from './export-card.tsx';
import { exportTexts } from './texts.ts';
import { TokenCard } from './token-card.tsx';

export function AccountingPage() {
  usePageTitle(exportTexts.title);
  return (
    <div className={cards.stack}>
      <ExportCard />
      <ClosingCard />
      <TokenCard />
    </div>
  );
}
