export type Navbar = ReturnType<typeof createNavbar>;

type NavbarState = {
  readonly rugCount: number;
  readonly activeRugIndex: number;
  readonly isCart: boolean;
  readonly isSticky: boolean;
};

/** At the bottom of the parent's window; it looks like the form's own bar. */
export function createNavbar(post: (message: object) => void) {
  const element = make('nav', 'Order steps');
  const progress = make('progress', 'Order progress');
  const row = make('div');
  const tabs = make('ul');
  const cart = button('Cart & Checkout', () => post({ type: 'NAVIGATE_TO_CART' }));
  const total = make('span');
  let isSticky = false;
  let isHiddenForCheckout = false;

  progress.max = 100;
  // Screen readers read the total in the form.
  total.setAttribute('aria-hidden', 'true');
  cart.append(total);
  row.append(tabs, cart);
  element.append(progress, row);
  const show = () => {
    element.hidden = !isSticky || isHiddenForCheckout;
  };
  show();

  const addTab = (rugIndex: number) => {
    const item = make('li');
    item.append(button(`Rug #${rugIndex + 1}`, () => post({ type: 'NAVIGATE_TO_RUG', rugIndex })));
    tabs.append(item);
  };
  return {
    element,
    update: ({ rugCount, activeRugIndex, isCart, isSticky: sticky }: NavbarState) => {
      while (tabs.children.length < rugCount) addTab(tabs.children.length);
      while (tabs.children.length > rugCount) tabs.lastChild?.remove();
      for (const [index, { firstElementChild: tab }] of [...tabs.children].entries()) {
        markCurrent(tab, !isCart && index === activeRugIndex);
      }
      markCurrent(cart, isCart);
      progress.value = isCart ? 100 : Math.round((Math.min(activeRugIndex + 1, rugCount) / (rugCount + 1)) * 100);
      isSticky = sticky;
      show();
      const current = tabs.children[activeRugIndex] as HTMLElement | undefined;
      // `scrollIntoView` could scroll the page as well. Without rugs there is no current tab.
      if (current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
    },
    /** @param text such as `$698.97`; empty for an order without a price. */
    showTotal: (text: string) => {
      total.textContent = text;
    },
    hideForCheckout: (hidden: boolean) => {
      isHiddenForCheckout = hidden;
      show();
    },
    isHiddenForCheckout: () => isHiddenForCheckout,
    /** In pixels. */
    height: () => element.offsetHeight,
  };
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, label?: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (label !== undefined) element.ariaLabel = label;
  return element;
}

function button(text: string, pressed: () => void): HTMLButtonElement {
  const element = make('button');
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', pressed);
  return element;
}

function markCurrent(tab: Element | null, isCurrent: boolean): void {
  if (isCurrent) tab?.setAttribute('aria-current', 'step');
  else tab?.removeAttribute('aria-current');
}
