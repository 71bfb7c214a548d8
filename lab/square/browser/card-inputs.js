import { fieldNames } from './card-rules.js';
import { styles } from './card-styles.js';

const fieldTexts = {
  cardNumber: { label: 'Card number', autocomplete: 'cc-number' },
  expirationDate: { label: 'Expiration date', autocomplete: 'cc-exp', placeholder: 'MM/YY' },
  cvv: { label: 'CVV', autocomplete: 'cc-csc' },
  postalCode: { label: 'Postal code', autocomplete: 'postal-code' },
};

const brandNames = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  americanExpress: 'American Express',
  discover: 'Discover',
  discoverDiners: 'Diners Club',
  jcb: 'JCB',
  unknown: '',
};

let formCount = 0;

/** Plain elements for tests and screen readers. */
export function createFields() {
  formCount += 1;
  addStyles();
  const parts = Object.fromEntries(
    fieldNames.map((name) => [name, createField(name, `sim-card-${formCount}-${name}`)]),
  );
  const root = element('div', { class: 'sim-card', role: 'group', 'aria-label': 'Card' });
  root.append(banner(), ...fieldNames.map((name) => parts[name].root));
  const brandMark = element('span', { class: 'sim-card-brand', 'aria-hidden': 'true' });
  parts.cardNumber.root.append(brandMark);
  return {
    root,
    inputs: Object.fromEntries(fieldNames.map((name) => [name, parts[name].input])),
    entry: () => Object.fromEntries(fieldNames.map((name) => [name, parts[name].input.value])),
    showProblem: (name, message) => showProblem(parts[name], message),
    showBrand: (brand) => {
      brandMark.textContent = brandNames[brand];
    },
  };
}

function banner() {
  const note = element('p', { class: 'sim-card-banner' });
  const link = element('a', { href: new URL('..', import.meta.url).href, target: '_blank', rel: 'noopener' });
  const text = element('strong', {});
  text.textContent = 'Test: no real card';
  link.textContent = 'Test card numbers (new tab)';
  note.append(text, ' ', link);
  return note;
}

function createField(name, id) {
  const { label: text, ...attributes } = fieldTexts[name];
  const root = element('div', { class: `sim-card-field sim-card-${name}` });
  const label = element('label', { for: id });
  label.textContent = text;
  const input = element('input', { id, type: 'text', inputmode: 'numeric', spellcheck: 'false', ...attributes });
  const problem = element('p', { id: `${id}-problem`, class: 'sim-card-problem' });
  root.append(label, input, problem);
  return { root, input, problem };
}

function showProblem({ input, problem }, message) {
  problem.textContent = message ?? '';
  if (message === undefined) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  } else {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', problem.id);
  }
}

export function element(tag, attributes) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  return created;
}

let isStyled = false;

/** A constructed sheet needs no exception in the page's content policy. */
export function addStyles() {
  if (isStyled) return;
  isStyled = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
