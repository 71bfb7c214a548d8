import { createTransport, type SendMailOptions } from 'nodemailer';

export type SmtpPlace = {
  /** `smtps://user:password@host` or `smtp://...`. User and password are percent-encoded. */
  readonly smtpUrl: string;
  readonly from: string;
};

export type Smtp = {
  /**
   * Ends within a minute.
   * @throws when the server did not take the mail, or its answer was lost: see `failureOf`.
   */
  readonly send: (mail: SendMailOptions) => Promise<{ readonly response: string; readonly messageId: string }>;
  /** Connects and signs in. @throws when that fails. */
  readonly check: () => Promise<void>;
};

const usualSilenceMs = 10_000;
const longestMs = 60_000;

/** Opens a connection for each mail: a small shop sends few. Without TLS only to this machine. */
export function openSmtp({ smtpUrl, from }: SmtpPlace, silentMs = usualSilenceMs): Smtp {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isThisMachine(hostname),
    ignoreTLS: !secure && isThisMachine(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: silentMs,
    greetingTimeout: silentMs,
    socketTimeout: silentMs,
    dnsTimeout: silentMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (mail) => await transport.sendMail({ from, ...mail, signal: AbortSignal.timeout(longestMs) }),
    check: async () => void (await transport.verify()),
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

export type SmtpFailure = {
  /** Codes such as `550 5.1.1 RCPT` or `ETIMEDOUT CONN`. Never the server's words: they may hold an address. */
  readonly codes: string;
  /** The server refused this recipient for ever. Other failures may be mended: a password, a full disk. */
  readonly isRefusedAddress: boolean;
};

/** Why a mail was not taken, as far as it may be stored and logged. */
export function failureOf(error: unknown): SmtpFailure {
  const { code, responseCode, response, command } = Object(error) as {
    readonly [Name in 'code' | 'responseCode' | 'response' | 'command']?: unknown;
  };
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response ?? '')) ?? [];
  const [verb] = /^[A-Z]+/.exec(String(command ?? '')) ?? [];
  const known = [typeof responseCode === 'number' ? String(responseCode) : codeText(code), enhanced, verb];
  return {
    codes: known.filter((part) => part !== undefined).join(' '),
    isRefusedAddress: verb === 'RCPT' && typeof responseCode === 'number' && responseCode >= 500,
  };
}

function codeText(code: unknown): string {
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'UNKNOWN';
}
