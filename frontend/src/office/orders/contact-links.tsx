function isMasked(text: string): boolean {
  return text.includes('•');
}

export function PhoneLink({ phone }: { readonly phone: string }) {
  return isAmerican(phone) ? <a href={`tel:+1${phone}`}>{phoneText(phone)}</a> : phone;
}

/** Anything but ten digits stays as it is. */
export function phoneText(phone: string): string {
  return isAmerican(phone) ? `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}` : phone;
}

function isAmerican(phone: string): boolean {
  return /^\d{10}$/.test(phone);
}

export function EmailLink({ email }: { readonly email: string }) {
  return isMasked(email) ? email : <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>;
}

export function MapLink({ address }: { readonly address: string }) {
  if (isMasked(address)) return address;
  const href = `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {address}
    </a>
  );
}
