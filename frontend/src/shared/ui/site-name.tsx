type SiteNameProps = { readonly name: string; readonly link: string | undefined };

/** The name of a drop-off site, as a link to its page if it has one. */
export function SiteName({ name, link }: SiteNameProps) {
  if (link === undefined || !/^https?:\/\//.test(link)) return <strong>{name}</strong>;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer">
      <strong>{name}</strong>
    </a>
  );
}

/** The name of a drop-off site and what else is known about it, in a line. */
export function SiteLine({ about, ...site }: SiteNameProps & { readonly about: readonly (string | undefined)[] }) {
  const known = about.filter((part) => part !== undefined && part !== '');
  return (
    <>
      <SiteName {...site} />
      {known.map((part) => `, ${part}`).join('')}
    </>
  );
}
