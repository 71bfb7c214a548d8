/**
 * Replaces Square's browser script locally: the same names and the same order of calls, but test
 * cards only. The page loads it with a plain <script>; it imports the card form on demand.
 */
(() => {
  // A classic script has no import.meta.url, so its address is read from its script element.
  const origin = new URL('.', document.currentScript.src);

  const errors = Object.fromEntries(
    [
      'ApplicationIdEnvironmentMismatchError',
      'ElementNotFoundError',
      'InvalidApplicationIdError',
      'InvalidLocationIdError',
      'PaymentMethodAlreadyAttachedError',
      'PaymentMethodAlreadyDestroyedError',
      'PaymentMethodNotAttachedError',
      'PaymentMethodUnsupportedError',
      'TokenizationError',
    ].map((name) => [name, errorNamed(name)]),
  );

  function errorNamed(name) {
    return class extends Error {
      name = name;
    };
  }

  function payments(applicationId, locationId) {
    if (applicationId.startsWith('sq0idp-')) {
      throw new errors.ApplicationIdEnvironmentMismatchError('This is the local test script, not the production one.');
    }
    if (!applicationId.startsWith('sandbox-sq0idb-')) {
      throw new errors.InvalidApplicationIdError('The application id begins with neither sandbox-sq0idb- nor sq0idp-.');
    }
    if (!locationId) throw new errors.InvalidLocationIdError('The location id is missing.');
    return {
      card: async () => {
        const { createCard } = await import(new URL('card-field.js', origin).href);
        return createCard(errors);
      },
      paymentRequest: (request) => request,
      applePay: (request) => wallet('Apple Pay', 'apple', request),
      googlePay: (request) => wallet('Google Pay', 'google', request),
    };
  }

  /**
   * No wallet exists unless the page's address asks for it: `/checkout?test-wallets=google,apple`.
   */
  async function wallet(name, key, request) {
    const asked = new URLSearchParams(location.search).get('test-wallets') ?? '';
    if (!asked.split(',').includes(key)) {
      throw new errors.PaymentMethodUnsupportedError(`${name} is not supported here.`);
    }
    const { createWallet } = await import(new URL('wallet.js', origin).href);
    return createWallet(name, request, errors);
  }

  window.Square = { payments, errors };
})();
