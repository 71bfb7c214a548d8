import { formatPhone } from '@kilim/domain/format-phone';

function isMasked(text: string): boolean {
  return text.includes('•');
}

export function PhoneLink({ phone }: { readonly phone: string }) {
  return /^\d{10}$/.test(phone) ? <a href={`tel:+1${phone}`}>{formatPhone(phone)}</a> : phone;
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
