type SiteNameProps = { readonly name: string; readonly link: string | undefined };

/** A link if the site has a page. */
export function SiteName({ name, link }: SiteNameProps) {
  if (link === undefined || !/^https?:\/\//.test(link)) return <strong>{name}</strong>;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer">
      <strong>{name}</strong>
    </a>
  );
}

/** With what else is known about it. */
export function SiteLine({ about, ...site }: SiteNameProps & { readonly about: readonly (string | undefined)[] }) {
  const known = about.filter((part) => part !== undefined && part !== '');
  return (
    <>
      <SiteName {...site} />
      {known.map((part) => `, ${part}`).join('')}
    </>
  );
}
