/** Whether the server has masked the contact: then it opens nothing. */
function isMasked(text: string): boolean {
  return text.includes('•');
}

/** `(310) 555-0142`, which a telephone can call. */
export function PhoneLink({ phone }: { readonly phone: string }) {
  if (isMasked(phone) || !/^\d{10}$/.test(phone)) return phone;
  return <a href={`tel:+1${phone}`}>{`(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`}</a>;
}

export function EmailLink({ email }: { readonly email: string }) {
  return isMasked(email) ? email : <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>;
}

/** Opens the address on a map. */
export function MapLink({ address }: { readonly address: string }) {
  if (isMasked(address)) return address;
  const href = `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {address}
    </a>
  );
}
