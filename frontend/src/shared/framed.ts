/** Whether the page stands in another page's frame. There the form is all that shows: the parent has its own header and footer. */
export function isFramed(): boolean {
  return window.self !== window.top;
}
