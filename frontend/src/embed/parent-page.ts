import { type MessageFromParent, type MessageToParent, parseMessageFromParent } from './messages.ts';

export type ParentPage = {
  readonly post: (message: MessageToParent) => void;
  /** Only valid messages from the parent window and an allowed origin. */
  readonly listen: (listener: (message: MessageFromParent) => void) => void;
};

type Frame = {
  readonly parent: { readonly postMessage: (message: unknown, targetOrigin: string) => void };
  readonly addEventListener: (type: 'message', listener: (event: MessageEvent<unknown>) => void) => void;
};

export function openParentPage(frame: Frame, possibleOrigins: readonly string[]): ParentPage {
  let origins = possibleOrigins;
  return {
    post: (message) => {
      for (const origin of origins) frame.parent.postMessage(message, origin);
    },
    listen: (listener) => {
      frame.addEventListener('message', ({ origin, source, data }) => {
        if (source !== frame.parent || !origins.includes(origin)) return;
        const message = parseMessageFromParent(data);
        if (message === undefined) return;
        // The first valid message reveals the parent's origin.
        origins = [origin];
        listener(message);
      });
    },
  };
}
