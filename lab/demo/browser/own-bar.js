// Draws its own bar from the specification's messages.
const orders = new URL(document.currentScript.dataset.orders).origin;
const frame = document.querySelector('iframe');
const bar = document.querySelector('.own-bar');

let hiddenForCheckout = false;
let sticky = false;

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== orders || source !== frame.contentWindow) return;
  if (data.type === 'NAVBAR_UPDATE') {
    sticky = data.isSticky;
    draw(data);
  }
  if (data.type === 'HIDE_NAVBAR_FOR_CHECKOUT') hiddenForCheckout = true;
  if (data.type === 'SHOW_NAVBAR_AFTER_CHECKOUT') hiddenForCheckout = false;
  if (data.type === 'SCROLL_TO_IFRAME_TOP' && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  bar.hidden = hiddenForCheckout || !sticky;
});

function draw({ rugCount, currentStep, activeRugIndex }) {
  const rugs = Array.from({ length: rugCount }, (_, rugIndex) =>
    button(`Rug #${rugIndex + 1}`, currentStep === 0 && rugIndex === activeRugIndex, {
      type: 'NAVIGATE_TO_RUG',
      rugIndex,
    }),
  );
  bar.replaceChildren(...rugs, button('Cart & Checkout', currentStep === 1, { type: 'NAVIGATE_TO_CART' }));
}

function button(text, isCurrent, message) {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  if (isCurrent) element.setAttribute('aria-current', 'step');
  element.addEventListener('click', () => frame.contentWindow.postMessage(message, orders));
  return element;
}
