import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import { offerOf } from '../shared/offer.ts';
import { usePageData } from '../shared/page-data.ts';
import { SiteLine } from '../shared/ui/site-name.tsx';
import { WovenStrip } from '../shared/ui/woven-strip.tsx';
import economy from './art/economy.svg';
import midrange from './art/midrange.svg';
import premium from './art/premium.svg';
import styles from './introduction.module.css';
import { homeTexts } from './texts.ts';

export function Introduction() {
  return (
    <div className={styles.introduction}>
      <HowItWorks />
      <Tiers />
      <Sites />
    </div>
  );
}

const tierPictures: Readonly<Record<Tier, string>> = { premium, midrange, economy };

function Tiers() {
  const { tierPrices } = offerOf(usePageData().settings).rates;
  return (
    <section className={styles.tiers} aria-labelledby="home-tiers">
      <WovenStrip tall />
      <h2 id="home-tiers">{homeTexts.tiersHeading}</h2>
      <ul>
        {tiers.map((tier) => (
          <li key={tier} className={styles.tier}>
            <img src={tierPictures[tier]} alt="" width={72} height={56} loading="lazy" />
            <div>
              <strong>{tierOffers[tier].name}</strong>
              <p className={styles.price}>{homeTexts.from(tierPrices[tier])}</p>
              <p className={styles.description}>{tierOffers[tier].description}</p>
            </div>
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
        {homeTexts.how.map(({ picture, title, text }) => (
          <li key={title} className={styles.howStep}>
            <img src={picture} alt="" width={96} height={72} loading="lazy" />
            <div>
              <h3 className={styles.howTitle}>{title}</h3>
              <p className={styles.howText}>{text}</p>
            </div>
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
        {business.dropOffSites.map(({ name, link, address, hours, note }) => (
          <li key={name}>
            <SiteLine name={name} link={link} about={[address, hours, note]} />
          </li>
        ))}
      </ul>
    </section>
  );
}
