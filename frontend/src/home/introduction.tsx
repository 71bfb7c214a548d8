import { tierOffers, tiers } from '@kilim/domain/catalog';
import { usePageData } from '../shared/page-data.ts';
import { buttonClass } from '../shared/ui/button.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { WovenStrip } from '../shared/ui/woven-strip.tsx';
import styles from './introduction.module.css';
import { homeTexts } from './texts.ts';

/** Introduces the business and explains the ordering process. */
export function Introduction() {
  return (
    <div className={styles.introduction}>
      <div className={styles.hero}>
        <div className={styles.words}>
          <p className={styles.experience}>{homeTexts.experience}</p>
          <PageTitle>{homeTexts.heading}</PageTitle>
          <p className={styles.lead}>{homeTexts.lead}</p>
          <a className={buttonClass('primary')} href="#order">
            {homeTexts.start}
          </a>
        </div>
        <Tiers />
      </div>
      <HowItWorks />
      <Sites />
    </div>
  );
}

function Tiers() {
  const { prices } = usePageData().settings;
  return (
    <section className={styles.tiers} aria-labelledby="home-tiers">
      <WovenStrip tall />
      <h2 id="home-tiers">{homeTexts.tiersHeading}</h2>
      <ul>
        {tiers.map((tier) => (
          <li key={tier} className={styles.tier}>
            <strong>{tierOffers[tier].name}</strong>
            <p className={styles.price}>{homeTexts.from(prices[tier])}</p>
            <p className={styles.description}>{tierOffers[tier].description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function HowItWorks() {
  return (
    <section aria-labelledby="home-how">
      <h2 id="home-how">{homeTexts.howHeading}</h2>
      <ol className={styles.how}>
        {homeTexts.how.map(({ title, text }) => (
          <li key={title} className={styles.howStep}>
            <h3 className={styles.howTitle}>{title}</h3>
            <p className={styles.howText}>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Sites() {
  const { business } = usePageData().config;
  return (
    <section className={styles.sites} aria-labelledby="home-sites">
      <h2 id="home-sites">{homeTexts.sitesHeading}</h2>
      <ul>
        {business.dropOffSites.map(({ name, note }) => (
          <li key={name}>
            <strong>{name}</strong>, {note}
          </li>
        ))}
      </ul>
    </section>
  );
}
