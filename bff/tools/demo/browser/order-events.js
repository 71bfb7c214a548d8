// What a company's page may want to know: that an order was placed. Here it thanks; elsewhere it may count a conversion.
document.addEventListener('order-placed', ({ detail }) => {
  const thanks = document.querySelector('.placed');
  thanks.textContent = `Thank you for your order ${detail.orderId.slice(-8)}.`;
  thanks.hidden = false;
});
