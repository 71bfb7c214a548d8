// Inlined into the page by build-steps/start-script.ts: it loads the scripts, and those that fail to load cannot retry.
const root = document.getElementById('root');
// In an iframe the page shows only the form, but not every browser tells the server about
// iframes.
if (self !== top && 'drawn' in root.dataset) root.replaceChildren();
// The page's scripts can fail to load: the phone changes networks, or a new version is
// deployed. The page reloads once automatically. After a second failure it shows a message
// and a button.
const retryUnloaded = (event) => {
  const isOwn = event.target.src || event.target.rel === 'stylesheet';
  if (!isOwn || (root.firstChild && !('drawn' in root.dataset))) return;
  try {
    const last = Number(sessionStorage.getItem('reloadedAt'));
    sessionStorage.setItem('reloadedAt', Date.now());
    // Reloading a page that answers a form POST makes the browser ask for confirmation.
    const isAnswer = document.getElementById('kilim-order');
    if (Date.now() - last > 30000 && !isAnswer) return setTimeout(() => location.reload(), 500);
  } catch {}
  const button = document.createElement('button');
  button.textContent = 'Try again';
  button.onclick = () => location.reload();
  // If the server rendered the page, the message takes the place of the form.
  const place = document.getElementById('order') ?? root;
  place.className = 'unloaded';
  place.setAttribute('role', 'alert');
  place.replaceChildren('This page could not be loaded. Nothing that you entered is lost. ', button);
};
addEventListener('error', retryUnloaded, true);
// A page that the server rendered is painted first: after one frame, or later in a hidden tab.
const scripts = document.getElementById('scripts');
const loadScripts = () => document.head.append(scripts.content);
if (scripts) {
  requestAnimationFrame(() => setTimeout(loadScripts));
  setTimeout(loadScripts, 1000);
}
