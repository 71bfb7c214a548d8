// A company's page may count a conversion here.
document.addEventListener('order-placed', ({ detail }) => {
  const thanks = document.querySelector('.placed');
  thanks.textContent = `Thank you for your order ${detail.orderId.slice(-8)}.`;
  thanks.hidden = false;
});
