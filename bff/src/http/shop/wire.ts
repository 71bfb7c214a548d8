import type { TierComparison } from '@kilim/domain/tier-comparison';
import type { ConfigAnswer } from '../../../contract/config.ts';
import type { ProblemAnswer } from '../../../contract/problem.ts';

/** The shapes of settings and sessions, under the specification's field names. Amounts are US dollars. */

/** `GET /api/settings`: the public part of the settings. */
export type SettingsAnswer = {
  readonly version: number;
  /** Dollars per square foot. */
  readonly tierPrices: Readonly<Record<'premium' | 'midrange' | 'economy', number>>;
  readonly tierFeatures: Readonly<Record<'premium' | 'midrange' | 'economy', readonly string[]>>;
  readonly tierComparison: TierComparison;
  readonly terms: string;
  /** Addresses by what they show: `pad`, `protection`, `repair`. */
  readonly addOnImages: Readonly<Record<string, string>>;
};

/** `POST /api/admin/login` and `POST /api/admin/reauthenticate`. The token proves for ten minutes that the password was right. */
export type SignInAnswer = { readonly token: string };

/** `GET /api/admin/session` */
export type AdminSessionAnswer = {
  readonly username: string;
  /** Whether the password was given within the last ten minutes, as refunds and settings require. */
  readonly isRecent: boolean;
};

/** One of `GET /api/admin/sessions`, last seen first. */
export type ListedSessionAnswer = {
  readonly id: string;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly address: string;
  readonly userAgent: string;
  /** The one that asks. */
  readonly current: boolean;
};

/** 422 of `POST /api/admin/set-password`. */
export type WeakPasswordAnswer = ProblemAnswer & {
  /** What would help, one sentence each. */
  readonly suggestions: readonly string[];
};

/**
 * `GET` and `POST /api/admin/settings`: the whole object, with fields that nobody here knows under the names they came with. A save
 * names the version that it started from, in `If-Match` (as `ETag` gave it) or in `version`. What it leaves out stays as it
 * is; an unknown field, or an image, that is null is removed.
 */
export type AdminSettingsAnswer = SettingsAnswer & {
  readonly business: Omit<ConfigAnswer['business'], 'timeZone'>;
};

/** 409 of `POST /api/admin/settings`: somebody else saved meanwhile. Nothing of either save is lost. */
export type SettingsConflictAnswer = ProblemAnswer & {
  /** The settings that hold now, and their version. */
  readonly current: AdminSettingsAnswer;
  readonly changedBy: string | null;
  readonly changedAt: string | null;
  /** Each field in which the two differ, and what it was before either of them. */
  readonly differences: readonly {
    readonly path: string;
    /** As the form names it. */
    readonly name: string;
    readonly base: unknown;
    readonly yours: unknown;
    readonly theirs: unknown;
  }[];
};

/** One of `GET /api/admin/settings/history`, newest first; `?before=<version>` goes on. */
export type SettingsHistoryEntry = {
  readonly version: number;
  readonly at: string;
  readonly by: string;
  /** What changed, a sentence per field. */
  readonly changes: readonly string[];
};

/** `POST /api/admin/images` */
export type ImageAnswer = { readonly secure_url: string };

/** What the server writes into the page, so that no request delays the first paint: `<script type="application/json" id="kilim">`. */
export type PageData = { readonly config: ConfigAnswer; readonly settings: SettingsAnswer };
