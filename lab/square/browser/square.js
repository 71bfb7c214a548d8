/**
 * Replaces Square's browser script: the same names and order of calls, but test cards only. It imports the card form on
 * demand.
 */
(() => {
  // A classic script has no import.meta.url.
  const origin = new URL('.', document.currentScript.src);

  function errorNamed(name, message) {
    return Object.assign(new Error(message), { name });
  }

  function payments(applicationId, locationId) {
    if (applicationId.startsWith('sq0idp-')) {
      throw errorNamed(
        'ApplicationIdEnvironmentMismatchError',
        'This is the local test script, not the production one.',
      );
    }
    if (!applicationId.startsWith('sandbox-sq0idb-')) {
      throw errorNamed(
        'InvalidApplicationIdError',
        'The application id begins with neither sandbox-sq0idb- nor sq0idp-.',
      );
    }
    if (!locationId) throw errorNamed('InvalidLocationIdError', 'The location id is missing.');
    return {
      card: async (options) => {
        const { createCard } = await import(new URL('card-field.js', origin).href);
        return createCard(errorNamed, options);
      },
      paymentRequest: (request) => request,
      applePay: (request) => wallet('Apple Pay', 'apple', request),
      googlePay: (request) => wallet('Google Pay', 'google', request),
    };
  }

  /** Only after `/?test-wallets=google,apple`, until the tab is closed. */
  async function wallet(name, key, request) {
    if (!askedWallets().includes(key)) {
      throw errorNamed('PaymentMethodUnsupportedError', `${name} is not supported here.`);
    }
    const { createWallet } = await import(new URL('wallet.js', origin).href);
    return createWallet(name, request, errorNamed);
  }

  function askedWallets() {
    const asked = new URLSearchParams(location.search).get('test-wallets');
    try {
      if (asked !== null) sessionStorage.setItem('test-wallets', asked);
      return (asked ?? sessionStorage.getItem('test-wallets') ?? '').split(',');
    } catch {
      return (asked ?? '').split(',');
    }
  }

  window.Square = { payments };
})();
