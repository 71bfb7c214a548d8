import type { Plugin } from 'vite';

/** In development, one origin serves both; the server's own ports keep them apart. */
export function officePages(): Plugin {
  return {
    name: 'kilim:office-pages',
    apply: 'serve',
    configureServer: (server) => {
      server.middlewares.use((request, _, next) => {
        if (/^\/admin(?=[/?]|$)/.test(request.url ?? '')) request.url = '/office.html';
        next();
      });
    },
  };
}
