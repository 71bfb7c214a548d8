import { createFields } from './card-inputs.js';
import {
  brandOf,
  cardOf,
  expirationOf,
  fieldNames,
  groupedNumber,
  mintToken,
  outcomeOf,
  problemsOf,
  slashedExpiration,
} from './card-rules.js';
import { fieldTriggers, testCards } from './test-cards.js';

/** A card form with Square's method names. Its states: new, attached, detached, destroyed. */
export function createCard(errors) {
  return new Card(errors);
}

class Card {
  #errors;
  #events = new EventTarget();
  #lastStates = {};
  #form;
  #isDestroyed = false;

  constructor(errors) {
    this.#errors = errors;
  }

  async attach(target) {
    this.#refuseDestroyed();
    if (this.#form !== undefined)
      throw new this.#errors.PaymentMethodAlreadyAttachedError('The card is attached already.');
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(container instanceof Element)) throw new this.#errors.ElementNotFoundError(`There is no element ${target}.`);
    this.#form = createFields();
    this.#listen(this.#form);
    container.append(this.#form.root);
  }

  async detach() {
    this.#attached().root.remove();
    this.#form = undefined;
    return true;
  }

  async destroy() {
    this.#refuseDestroyed();
    this.#form?.root.remove();
    this.#form = undefined;
    this.#isDestroyed = true;
    return true;
  }

  async tokenize() {
    const form = this.#attached();
    const entry = form.entry();
    const problems = problemsOf(entry, testCards, new Date());
    for (const field of fieldNames) this.#showProblem(field, messageFor(problems, field));
    if (problems.length > 0) return { status: 'Invalid', errors: problems };
    return { status: 'OK', token: mintToken(outcomeOf(entry, testCards, fieldTriggers)), details: detailsOf(entry) };
  }

  async clear() {
    const form = this.#attached();
    for (const field of fieldNames) {
      form.inputs[field].value = '';
      this.#showProblem(field, undefined);
    }
    form.showBrand('unknown');
    return true;
  }

  async focus(field = 'cardNumber') {
    const input = this.#attached().inputs[field];
    input?.focus();
    return input !== undefined;
  }

  async setError(field) {
    this.#showProblem(field, 'Check this entry.');
    return true;
  }

  /** Accepts Square's style options and ignores them. */
  async configure() {
    this.#refuseDestroyed();
  }

  async recalculateSize() {
    this.#refuseDestroyed();
  }

  addEventListener(type, listener) {
    this.#events.addEventListener(type, listener);
  }

  removeEventListener(type, listener) {
    this.#events.removeEventListener(type, listener);
  }

  #refuseDestroyed() {
    if (this.#isDestroyed) throw new this.#errors.PaymentMethodAlreadyDestroyedError('The card is destroyed.');
  }

  #attached() {
    this.#refuseDestroyed();
    if (this.#form === undefined) throw new this.#errors.PaymentMethodNotAttachedError('The card is not attached.');
    return this.#form;
  }

  #listen(form) {
    for (const field of fieldNames) {
      const input = form.inputs[field];
      input.addEventListener('focus', () => this.#tell('focusClassAdded', field));
      input.addEventListener('blur', () => this.#leave(field));
      input.addEventListener('input', (event) => this.#edit(field, event));
      input.addEventListener('keydown', (event) => this.#press(field, event));
    }
  }

  /** Shows a problem only for a field that has text and has lost the focus. */
  #leave(field) {
    this.#tell('focusClassRemoved', field);
    const entry = this.#form?.entry();
    if (entry?.[field]) this.#showProblem(field, messageFor(problemsOf(entry, testCards, new Date()), field));
  }

  #edit(field, event) {
    const input = event.target;
    const brandBefore = this.#form.brand();
    const isDeleting = event.inputType?.startsWith('delete') ?? false;
    // Reformatting anywhere but at the end would move the caret while the person types.
    if (!isDeleting && input.selectionStart === input.value.length) input.value = formatted(field, input.value);
    this.#showProblem(field, undefined);
    if (field === 'cardNumber') this.#form.showBrand(brandOf(input.value));
    if (this.#form.brand() !== brandBefore) this.#tell('cardBrandChanged', field);
    if (field === 'postalCode') this.#tell('postalCodeChanged', field);
  }

  #press(field, event) {
    if (event.key === 'Escape') this.#tell('escape', field);
    if (event.key !== 'Enter') return;
    // The page decides what Enter means, so the surrounding form must not submit.
    event.preventDefault();
    this.#tell('submit', field);
  }

  #showProblem(field, message) {
    const form = this.#attached();
    const had = form.hasProblem(field);
    form.showProblem(field, message);
    if (had !== (message !== undefined))
      this.#tell(message === undefined ? 'errorClassRemoved' : 'errorClassAdded', field);
  }

  #tell(eventType, field) {
    if (this.#form === undefined) return;
    const entry = this.#form.entry();
    const isCompletelyValid = messageFor(problemsOf(entry, testCards, new Date()), field) === undefined;
    const currentState = {
      hasErrorClass: this.#form.hasProblem(field),
      hasFocusClass: document.activeElement === this.#form.inputs[field],
      isCompletelyValid,
      isEmpty: entry[field] === '',
      isPotentiallyValid: /^[\d\s/-]*$/.test(entry[field]),
    };
    const previousState = this.#lastStates[field] ?? currentState;
    this.#lastStates[field] = currentState;
    const cardBrand = this.#form.brand();
    const detail = { cardBrand, field, currentState, previousState, postalCodeValue: entry.postalCode, eventType };
    this.#events.dispatchEvent(new CustomEvent(eventType, { detail }));
  }
}

function messageFor(problems, field) {
  return problems.find((problem) => problem.field === field)?.message;
}

function formatted(field, text) {
  if (field === 'cardNumber') return groupedNumber(text);
  return field === 'expirationDate' ? slashedExpiration(text) : text;
}

function detailsOf(entry) {
  const { number, brand } = cardOf(entry.cardNumber, testCards);
  const { month, year } = expirationOf(entry.expirationDate);
  return {
    method: 'Card',
    card: {
      brand,
      last4: number.slice(-4),
      expMonth: month,
      expYear: year,
      cardType: 'CREDIT',
      prepaidType: 'NOT_PREPAID',
    },
    billing: { postalCode: entry.postalCode.trim() },
  };
}
