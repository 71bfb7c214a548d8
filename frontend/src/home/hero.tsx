import { PageTitle } from '../shared/ui/page-title.tsx';
import rug from './art/rug.svg';
import styles from './hero.module.css';
import { homeTexts } from './texts.ts';

/** Short, so that the form begins on the first screen of a phone. */
export function Hero() {
  return (
    <div className={styles.hero}>
      <div className={styles.words}>
        <p className={styles.experience}>{homeTexts.experience}</p>
        <PageTitle>{homeTexts.heading}</PageTitle>
        <p className={styles.lead}>{homeTexts.lead}</p>
      </div>
      <img className={styles.rug} src={rug} alt="" width={440} height={264} />
    </div>
  );
}
