import { createFields } from './card-inputs.js';
import {
  brandOf,
  fieldNames,
  groupedNumber,
  mintToken,
  outcomeOf,
  problemsOf,
  slashedExpiration,
} from './card-rules.js';
import { fieldTriggers, testCards } from './test-cards.js';

/** Square's method names. States: new, attached, destroyed. */
export function createCard(errorNamed, options) {
  return new Card(errorNamed, options);
}

class Card extends EventTarget {
  #errorNamed;
  #options;
  #form;
  #isDestroyed = false;

  constructor(errorNamed, options = {}) {
    super();
    this.#errorNamed = errorNamed;
    this.#options = options;
  }

  async attach(target) {
    this.#refuseDestroyed();
    if (this.#form !== undefined)
      throw this.#errorNamed('PaymentMethodAlreadyAttachedError', 'The card is attached already.');
    const container = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(container instanceof Element))
      throw this.#errorNamed('ElementNotFoundError', `There is no element ${target}.`);
    this.#form = createFields();
    this.#form.inputs.postalCode.value = this.#options.postalCode ?? '';
    this.#listen(this.#form);
    container.append(this.#form.root);
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
    for (const field of fieldNames) form.showProblem(field, messageFor(problems, field));
    if (problems.length > 0) return { status: 'Invalid', errors: problems };
    return { status: 'OK', token: mintToken(outcomeOf(entry, testCards, fieldTriggers)) };
  }

  async focus(field = 'cardNumber') {
    const input = this.#attached().inputs[field];
    input?.focus();
    return input !== undefined;
  }

  #refuseDestroyed() {
    if (this.#isDestroyed) throw this.#errorNamed('PaymentMethodAlreadyDestroyedError', 'The card is destroyed.');
  }

  #attached() {
    this.#refuseDestroyed();
    if (this.#form === undefined) throw this.#errorNamed('PaymentMethodNotAttachedError', 'The card is not attached.');
    return this.#form;
  }

  #listen(form) {
    for (const field of fieldNames) {
      const input = form.inputs[field];
      input.addEventListener('blur', () => this.#leave(field));
      input.addEventListener('input', (event) => this.#edit(field, event));
      input.addEventListener('keydown', (event) => this.#press(event));
    }
  }

  /** Only for a field that has text and has lost the focus. */
  #leave(field) {
    const entry = this.#form?.entry();
    if (entry?.[field])
      this.#attached().showProblem(field, messageFor(problemsOf(entry, testCards, new Date()), field));
  }

  #edit(field, event) {
    const input = event.target;
    const isDeleting = event.inputType?.startsWith('delete') ?? false;
    // Reformatting anywhere but at the end would move the caret.
    if (!isDeleting && input.selectionStart === input.value.length) input.value = formatted(field, input.value);
    this.#attached().showProblem(field, undefined);
    if (field === 'cardNumber') this.#form.showBrand(brandOf(input.value));
    if (!isDeleting && input.selectionStart === input.value.length) this.#advance(field);
  }

  #advance(field) {
    const entry = this.#form.entry();
    const isComplete = problemsOf(entry, testCards, new Date()).every((problem) => problem.field !== field);
    const next = fieldNames[fieldNames.indexOf(field) + 1];
    if (isComplete && next !== undefined) this.#form.inputs[next].focus();
  }

  #press(event) {
    if (event.key !== 'Enter') return;
    // The page decides what Enter means, so the surrounding form must not submit.
    event.preventDefault();
    this.dispatchEvent(new CustomEvent('submit'));
  }
}

function messageFor(problems, field) {
  return problems.find((problem) => problem.field === field)?.message;
}

function formatted(field, text) {
  if (field === 'cardNumber') return groupedNumber(text);
  return field === 'expirationDate' ? slashedExpiration(text) : text;
}
