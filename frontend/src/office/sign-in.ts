import { localStore } from '../shared/storage.ts';
import { bindSignIn } from './shared/session/bind-sign-in.ts';
import { handOver } from './shared/session/handed-sign-in.ts';

// The script of the sign-in page that the server draws, built apart from the office: it has neither React nor antd. The
// office's own scripts wait in a template, are loaded while the person types, and run afterwards.

const waiting = document.querySelector('template')?.content;
const form = document.querySelector<HTMLFormElement>('#sign-in');

if (form !== null) {
  bindSignIn(form, (signIn) => {
    handOver(signIn);
    if (signIn.factors === undefined) localStore.write('adminLoggedIn', '1');
    startOffice();
  });
  if (document.readyState === 'complete') loadOffice();
  else window.addEventListener('load', loadOffice);
}

function loadOffice(): void {
  for (const link of waiting?.querySelectorAll('[rel="modulepreload"]') ?? []) document.head.append(link);
}

function startOffice(): void {
  if (waiting !== undefined) document.head.append(waiting);
}
