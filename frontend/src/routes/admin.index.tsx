import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/admin/')({
  beforeLoad: () => {
    // TanStack Router redirects by throwing a redirect object, which is not an error.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/admin/overview', replace: true });
  },
});
