/** Decorative: text beside the icon carries its meaning. */
function Icon({ path }: { readonly path: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      aria-hidden="true"
    >
      <path d={path} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

export const CrossIcon = () => <Icon path="m5 5 10 10M15 5 5 15" />;
export const CheckIcon = () => <Icon path="m4 10.5 4 4 8-9" />;
export const PlusIcon = () => <Icon path="M10 4v12M4 10h12" />;
export const ArrowLeftIcon = () => <Icon path="M16 10H4m5-5-5 5 5 5" />;
export const ArrowRightIcon = () => <Icon path="M4 10h12m-5-5 5 5-5 5" />;
export const ChevronIcon = () => <Icon path="m5 8 5 5 5-5" />;
export const LockIcon = () => <Icon path="M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3" />;
export const AlertIcon = () => <Icon path="M10 6v5m0 2.75v.25M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15Z" />;
export const PhoneIcon = () => (
  <Icon path="M6 3 4 4.5C3.5 10 10 16.5 15.5 16l1.5-2-3.5-2.5-1.5 1.2C10 12 8 10 7.3 8l1.2-1.5Z" />
);
