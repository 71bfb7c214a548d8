import postgres from 'postgres';
import { codeOf, type Diagnosis } from '../runtime/diagnosis.ts';
import { type DatabaseAddress, readDatabaseAddress } from './database-address.ts';

export type DatabasePlace = {
  readonly variable: 'DATABASE_URL' | 'MIGRATION_DATABASE_URL' | 'DATA_DIR';
  readonly url: string;
};

/**
 * Every program uses this instead of showing a bare `ECONNREFUSED`.
 * @returns sentences without the password.
 */
export function explainDatabaseError(error: unknown, { variable, url }: DatabasePlace): Diagnosis {
  const code = codeOf(error);
  const said = error instanceof Error ? error.message : String(error);
  const known = explanations.find(({ codes }) => codes.test(code));
  const explain = known?.explain ?? unknownError;
  const [problem, remedy] = explain({ ...readDatabaseAddress(url), variable, code, said });
  // PostgreSQL's own words never hold a password. Others could quote the address.
  const words = error instanceof postgres.PostgresError ? ` PostgreSQL says: ${said}.` : '';
  return { level: 'error', variable, problem: `${problem}.${words}`, remedy: `${remedy}.` };
}

type Circumstances = Pick<DatabaseAddress, 'login' | 'hosts' | 'database'> & {
  readonly variable: string;
  readonly code: string;
  readonly said: string;
};
type Explain = (circumstances: Circumstances) => readonly [problem: string, remedy: string];

const explanations: readonly { readonly codes: RegExp; readonly explain: Explain }[] = [
  {
    codes: /^(ECONNREFUSED|ENOENT)$/,
    explain: ({ hosts }) => [
      `nothing accepts connections at ${hosts}`,
      'Start PostgreSQL there, or correct the host and the port',
    ],
  },
  {
    codes: /^(ENOTFOUND|EAI_\w+)$/,
    explain: ({ hosts, code }) => [
      `the host name of ${hosts} cannot be resolved (${code})`,
      'Correct the host, or check the name server of this machine',
    ],
  },
  {
    codes: /^TOO_LATE$/,
    explain: ({ hosts }) => [
      `${hosts} accepted the connection, and then did not answer in time`,
      'If a connection pooler runs there, it has no session left: in session mode it needs one for each connection (docs/larger/poolers.md). Otherwise PostgreSQL is overloaded',
    ],
  },
  {
    codes: /^(ETIMEDOUT|CONNECT_TIMEOUT|EHOST\w+|ENET\w+)$/,
    explain: ({ hosts, code }) => [
      hosts.includes(',') ? `no primary answers among ${hosts} (${code})` : `${hosts} does not answer (${code})`,
      'Check the host and the port, that PostgreSQL runs there, and that no firewall is in between',
    ],
  },
  {
    codes: /^(ECONNRESET|EPIPE|CONNECTION_\w+)$/,
    explain: ({ hosts }) => [
      `${hosts} closed the connection before a session began`,
      'Check that the port is that of PostgreSQL, and that sslmode fits the server',
    ],
  },
  {
    codes: /^TLS_NOT_OFFERED$/,
    explain: ({ hosts }) => [
      `${hosts} offers no TLS, and sslmode requires it`,
      'Enable TLS in PostgreSQL; sslmode=disable is only for a network that you trust',
    ],
  },
  {
    codes: /^TLS_FILE_UNREADABLE$/,
    explain: ({ said }) => [said, 'Correct sslrootcert, sslcert or sslkey in the query of the address'],
  },
  {
    codes: /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/,
    explain: ({ hosts, code }) => [
      `the certificate of ${hosts} cannot be trusted (${code})`,
      'Use the host name that the certificate contains, and add sslrootcert=<file of its authority> to the query',
    ],
  },
  {
    codes: /^ERR_(SSL|TLS)_/,
    explain: ({ hosts, code }) => [
      `the TLS handshake with ${hosts} failed (${code})`,
      'Check that the port is that of PostgreSQL, and that sslmode fits the server',
    ],
  },
  {
    codes: /^(28P01|SASL_\w+)$/,
    explain: ({ hosts, login }) => [
      `${hosts} refuses the password of the login ${login}`,
      'Correct the user and the password; characters like @ / ? # need percent-encoding',
    ],
  },
  {
    codes: /^28000$/,
    explain: ({ hosts, login }) => [
      `${hosts} refuses the login ${login}`,
      'Create the login, or allow it in pg_hba.conf; where that requires encryption, add ?sslmode=verify-full',
    ],
  },
  {
    codes: /^3D000$/,
    explain: ({ hosts, database }) => [
      `there is no database ${database} at ${hosts}`,
      'Create it with createdb, or correct the name at the end of the address',
    ],
  },
  {
    codes: /^(42501|22023)$/,
    explain: ({ login }) => [
      `the login ${login} may not connect with the role kilim_server`,
      `Run as the owner of the database: npm run migrate -- --login ${login}`,
    ],
  },
  {
    codes: /^53300$/,
    explain: ({ hosts }) => [
      `${hosts} has no connection left`,
      'Raise max_connections, or close the sessions of other programs',
    ],
  },
  {
    codes: /^08P01$/,
    explain: ({ hosts, said }) => {
      const [, parameter] = /^unsupported startup parameter(?: in options)?: (\S+)/.exec(said) ?? [];
      return parameter === undefined
        ? [`the connection pooler at ${hosts} refuses the session`, 'Look at the log of the pooler']
        : [
            `the connection pooler at ${hosts} refuses the parameter ${parameter}`,
            'Remove it from the query of the address, or name it in ignore_startup_parameters of PgBouncer',
          ];
    },
  },
  {
    codes: /^57P0/,
    explain: ({ hosts }) => [`PostgreSQL at ${hosts} is starting or stopping`, 'Wait until it accepts connections'],
  },
];

/** The text of an error without a code holds no address. */
const unknownError: Explain = ({ hosts, database, code, said }) => [
  `the database ${database} at ${hosts} cannot be used (${code === '' ? said : code})`,
  'Check that the host and the port are those of PostgreSQL',
];
