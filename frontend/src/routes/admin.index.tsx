import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/admin/')({
  beforeLoad: () => {
    // The router's way of saying so: what is thrown is its own answer, not an error.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/admin/orders', replace: true });
  },
});
