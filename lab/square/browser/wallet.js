import { addStyles, element } from './card-inputs.js';
import { mintToken } from './card-rules.js';

/** Square's method names. As in reality, Google's wallet brings its own button and Apple's does not. No money moves. */
export function createWallet(name, request, errorNamed) {
  return new Wallet(name, request, errorNamed);
}

class Wallet {
  #name;
  #request;
  #errorNamed;
  #button;
  #isDestroyed = false;

  constructor(name, request, errorNamed) {
    this.#name = name;
    this.#request = request;
    this.#errorNamed = errorNamed;
    addStyles();
  }

  async attach(target) {
    this.#refuseDestroyed();
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(container instanceof Element))
      throw this.#errorNamed('ElementNotFoundError', `There is no element ${target}.`);
    this.#button = element('button', { type: 'button', class: 'sim-wallet-button' });
    this.#button.textContent = `${this.#name} (test)`;
    container.append(this.#button);
  }

  async tokenize() {
    this.#refuseDestroyed();
    const choice = await askInSheet(this.#name, this.#request.total);
    if (choice === '') return { status: 'Cancel' };
    if (choice === 'silent') return new Promise(() => {});
    return { status: 'OK', token: mintToken(choice), details: contactFor(this.#request) };
  }

  async destroy() {
    this.#refuseDestroyed();
    this.#button?.remove();
    this.#isDestroyed = true;
    return true;
  }

  #refuseDestroyed() {
    if (this.#isDestroyed) {
      throw this.#errorNamed('PaymentMethodAlreadyDestroyedError', `${this.#name} is destroyed.`);
    }
  }
}

const person = {
  givenName: 'Wanda',
  familyName: 'Wallet',
  email: 'wanda@example.com',
  phone: '+1 310-555-0188',
  addressLines: ['200 Ocean Ave', 'Apt 5'],
  city: 'Santa Monica',
  state: 'CA',
  countryCode: 'US',
  postalCode: '90402',
};

/** Only what the page requested. As with Apple, the billing contact has neither email nor phone. */
function contactFor({ requestBillingContact, requestShippingContact }) {
  const { email: _, phone: __, ...billing } = person;
  return {
    ...(requestBillingContact ? { billing } : {}),
    ...(requestShippingContact ? { shipping: { contact: person } } : {}),
  };
}

/** @returns the chosen outcome; empty when the sheet was cancelled. */
function askInSheet(name, { amount, label }) {
  const sheet = element('dialog', { class: 'sim-wallet-sheet', 'aria-labelledby': 'sim-wallet-title' });
  const title = element('h2', { id: 'sim-wallet-title' });
  title.textContent = `Test ${name}: no real wallet`;
  const total = element('p', {});
  total.textContent = `${label}: $${amount}`;
  const choices = [
    ['Pay', 'ok'],
    ['Pay with a card that is declined', 'declined'],
    ['Never answer', 'silent'],
    ['Cancel', ''],
  ].map(([text, outcome]) => {
    const button = element('button', { type: 'button' });
    button.textContent = text;
    button.addEventListener('click', () => sheet.close(outcome));
    return button;
  });
  sheet.append(title, total, ...choices);
  document.body.append(sheet);
  sheet.showModal();
  return new Promise((resolve) => {
    sheet.addEventListener('close', () => {
      sheet.remove();
      resolve(sheet.returnValue);
    });
  });
}
