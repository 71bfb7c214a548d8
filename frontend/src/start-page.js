// Inlined by build-steps/start-script.ts: it loads the scripts, and those that fail to load cannot retry.
const root = document.getElementById('root');
// Not every browser tells the server about iframes.
if (self !== top && 'drawn' in root.dataset) root.replaceChildren();
try {
  // A saved draft takes the place of the new form that the server drew.
  if ('drawn' in root.dataset && localStorage.rugFormState) root.dataset.restoring = location.hash;
} catch {}
// Until the form is hydrated, a common size fills the boxes, instead of being sent to the server. Other buttons wait.
const pressed = [];
const recordPress = (event) => {
  const button = 'drawn' in root.dataset && event.target.closest?.('#order :is(button, [type="radio"])');
  if (!button) return;
  // React listens while it hydrates: it would ignore a choice, and press a button before the typed sizes are replayed.
  event.stopPropagation();
  if (button.name !== 'size') return pressed.push(button);
  event.preventDefault();
  const [width, length] = button.value.split('x').map((side) => side.split('-'));
  for (const [name, [feet, inches = '0']] of Object.entries({ width, length })) {
    document.getElementById(`rug-0-${name}Feet`).value = feet;
    document.getElementById(`rug-0-${name}Inches`).value = inches;
  }
};
addEventListener('click', recordPress, true);
// The office's sign-in (`bind-sign-in.ts`) repeats it.
addEventListener('submit', ({ target }) => (target.dataset.sent = ''));
// For the form (`order-form.tsx`). React listens only to changes of what it has seen before, so each is undone first.
root.replay = () => {
  delete root.dataset.drawn;
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  for (const input of document.querySelectorAll('#order input')) {
    const { type, value, defaultValue, checked, defaultChecked } = input;
    if (type === 'text' && value !== defaultValue) {
      input.value = defaultValue;
      setValue.call(input, value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      if (input !== document.activeElement) input.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    }
    if (type === 'checkbox' && checked !== defaultChecked) {
      input.checked = defaultChecked;
      input.click();
    }
  }
  for (const control of pressed.splice(0)) {
    if (control.type === 'radio') control.checked = false;
    control.click();
  }
};
// Scripts can fail to load: the phone changes networks, or a new version is deployed. The page reloads once, then shows
// a message and a button.
const retryUnloaded = (event) => {
  const isOwn = event.target.src || event.target.rel === 'stylesheet';
  if (!isOwn || (root.firstChild && !('drawn' in root.dataset))) return;
  try {
    const last = Number(sessionStorage.getItem('reloadedAt'));
    sessionStorage.setItem('reloadedAt', Date.now());
    // Reloading the answer to a form POST makes the browser ask for confirmation.
    const isAnswer = document.getElementById('kilim-order');
    if (Date.now() - last > 30000 && !isAnswer) return setTimeout(() => location.reload(), 500);
  } catch {}
  const button = document.createElement('button');
  button.textContent = 'Try again';
  button.onclick = () => location.reload();
  // On a server-rendered page, the message takes the form's place.
  const place = document.getElementById('order') ?? root;
  delete root.dataset.restoring;
  // The new button must not wait for the form.
  delete root.dataset.drawn;
  place.className = 'unloaded';
  place.setAttribute('role', 'alert');
  place.replaceChildren('This page could not be loaded. Nothing that you entered is lost. ', button);
};
addEventListener('error', retryUnloaded, true);
// A server-rendered page is painted first: after one frame, or later in a hidden tab.
const scripts = document.getElementById('scripts');
const loadScripts = () => document.head.append(scripts.content);
if (scripts) {
  requestAnimationFrame(() => setTimeout(loadScripts));
  setTimeout(loadScripts, 1000);
}
