// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { createNavbar } from './navbar.ts';

const firstOfTwo = { rugCount: 2, activeRugIndex: 0, isCart: false, isSticky: true };

function shownBar() {
  const posted: object[] = [];
  const navbar = createNavbar((message) => posted.push(message));
  document.body.replaceChildren(navbar.element);
  const tabs = () => [...navbar.element.querySelectorAll('button')].map(({ textContent }) => textContent);
  return { ...navbar, posted, tabs };
}

test('the bar has a tab for each rug, and one for the cart', () => {
  const bar = shownBar();
  bar.update(firstOfTwo);
  expect(bar.tabs()).toEqual(['Rug #1', 'Rug #2', 'Cart & Checkout']);
  expect(bar.element.hidden).toBe(false);
  expect(bar.element.querySelector('[aria-current]')?.textContent).toBe('Rug #1');
  expect(bar.element.querySelector('progress')?.value).toBe(33);
});

test('after the last rug is removed, the bar keeps only the cart tab', () => {
  const bar = shownBar();
  bar.update(firstOfTwo);
  bar.update({ rugCount: 0, activeRugIndex: 0, isCart: false, isSticky: true });
  expect(bar.tabs()).toEqual(['Cart & Checkout']);
  expect(bar.element.querySelector('[aria-current]')).toBeNull();
  expect(bar.element.querySelector('progress')?.value).toBe(0);
  bar.update({ ...firstOfTwo, rugCount: 1 });
  expect(bar.tabs()).toEqual(['Rug #1', 'Cart & Checkout']);
});

test('the cart’s tab shows the total, hidden from screen readers', () => {
  const bar = shownBar();
  bar.update(firstOfTwo);
  bar.showTotal('$698.97');
  expect(bar.element.querySelector('[aria-hidden]')?.textContent).toBe('$698.97');
  bar.showTotal('');
  expect(bar.tabs()).toEqual(['Rug #1', 'Rug #2', 'Cart & Checkout']);
});

test('each tab posts its navigation message to the form', () => {
  const bar = shownBar();
  bar.update(firstOfTwo);
  for (const button of bar.element.querySelectorAll('button')) button.click();
  expect(bar.posted).toEqual([
    { type: 'NAVIGATE_TO_RUG', rugIndex: 0 },
    { type: 'NAVIGATE_TO_RUG', rugIndex: 1 },
    { type: 'NAVIGATE_TO_CART' },
  ]);
});

test('the bar stays hidden during the checkout, even after an update, and comes back after it', () => {
  const bar = shownBar();
  bar.update(firstOfTwo);
  bar.hideForCheckout(true);
  bar.update(firstOfTwo);
  expect(bar.element.hidden).toBe(true);
  bar.hideForCheckout(false);
  expect(bar.element.hidden).toBe(false);
});
