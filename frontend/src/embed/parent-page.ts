import { type MessageFromParent, type MessageToParent, parseMessageFromParent } from './messages.ts';

/** The page that holds our frame, as far as it may be one of those that are allowed to. */
export type ParentPage = {
  readonly post: (message: MessageToParent) => void;
  /** Hears only what an allowed page, the one that frames us, says in words that we know. */
  readonly listen: (hear: (message: MessageFromParent) => void) => void;
};

type Frame = {
  readonly parent: { readonly postMessage: (message: unknown, targetOrigin: string) => void };
  readonly addEventListener: (type: 'message', heard: (event: MessageEvent<unknown>) => void) => void;
};

export function openParentPage(frame: Frame, possibleOrigins: readonly string[]): ParentPage {
  let origins = possibleOrigins;
  return {
    post: (message) => {
      for (const origin of origins) frame.parent.postMessage(message, origin);
    },
    listen: (hear) => {
      frame.addEventListener('message', ({ origin, source, data }) => {
        if (source !== frame.parent || !origins.includes(origin)) return;
        const message = parseMessageFromParent(data);
        if (message === undefined) return;
        // From now on it is known which of the allowed pages this is.
        origins = [origin];
        hear(message);
      });
    },
  };
}
