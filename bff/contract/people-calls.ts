import * as z from 'zod/mini';
import type { OfficeCalls } from './call.ts';
import { linkedAccount, ownEmail, passwordChosen, passwordLink, people, personNames } from './people.ts';
import {
  choosePasswordRequest,
  invitationRequest,
  ownEmailRequest,
  ownNameRequest,
  passwordLinkRequest,
  roleRequest,
} from './people-requests.ts';
import { securityLogQuery } from './queries.ts';
import { secondFactorNeeded } from './second-factor.ts';
import { securityLog } from './security-log.ts';
import { passwordChanged, passwordStrength, session, sessions, signedIn, weakPassword } from './session.ts';
import {
  passwordChangeRequest,
  passwordStrengthRequest,
  reauthenticationRequest,
  signInRequest,
} from './session-requests.ts';

const nothing = z.object({});
const managePeople = { permission: 'managePeople', problems: [404, 409] } as const;

export const peopleCalls = {
  'POST /api/admin/login': {
    summary: 'Sign in',
    access: 'anyone',
    body: signInRequest,
    answers: { 200: signedIn, 202: secondFactorNeeded },
    problems: [401],
  },
  'POST /api/admin/reauthenticate': {
    summary: 'Give the password again, and a code if the account has a second factor',
    permission: 'useOwnAccount',
    body: reauthenticationRequest,
    answers: { 200: signedIn },
    problems: [403],
  },
  'POST /api/admin/logout': { summary: 'Sign out', permission: 'useOwnAccount', body: nothing, answers: { 204: null } },
  'GET /api/admin/session': {
    summary: 'Return the current session',
    permission: 'useOwnAccount',
    answers: { 200: session },
  },
  'GET /api/admin/sessions': {
    summary: 'List the sessions of the account',
    permission: 'useOwnAccount',
    answers: { 200: sessions },
  },
  'DELETE /api/admin/sessions': {
    summary: 'End all sessions of the account',
    permission: 'endOwnSessions',
    answers: { 204: null },
  },
  'DELETE /api/admin/sessions/:id': {
    summary: 'End one session',
    permission: 'endOwnSessions',
    answers: { 204: null },
    problems: [404, 422],
  },
  'POST /api/admin/set-password': {
    summary: 'Change the password; needs the token of the latest sign-in as a bearer',
    permission: 'useOwnAccount',
    body: passwordChangeRequest,
    answers: { 200: passwordChanged, 422: weakPassword },
    problems: [403, 422],
  },
  'POST /api/admin/password-strength': {
    summary: 'Rate a new password; changes nothing',
    permission: 'useOwnAccount',
    body: passwordStrengthRequest,
    answers: { 200: passwordStrength },
    problems: [422],
  },
  'POST /api/admin/account/name': {
    summary: 'Change the own display name',
    permission: 'changeOwnName',
    body: ownNameRequest,
    answers: { 204: null },
    problems: [422],
  },
  'GET /api/admin/account/email': {
    summary: 'Return where messages about the own account go',
    permission: 'useOwnAccount',
    answers: { 200: ownEmail },
  },
  'POST /api/admin/account/email': {
    summary: 'Change where messages about the own account go',
    permission: 'changeOwnEmail',
    body: ownEmailRequest,
    answers: { 204: null },
    problems: [422],
  },
  'POST /api/admin/password-link': {
    summary: 'Return the account of a link of an invitation or of a reset',
    access: 'anyone',
    body: passwordLinkRequest,
    answers: { 200: linkedAccount },
    problems: [404, 422],
  },
  'POST /api/admin/password-link/use': {
    summary: 'Choose the password with such a link, which works once',
    access: 'anyone',
    body: choosePasswordRequest,
    answers: { 200: passwordChosen, 422: weakPassword },
    problems: [404, 422],
  },
  'GET /api/admin/people': { summary: 'List the people', permission: 'readPeople', answers: { 200: people } },
  'GET /api/admin/people/names': {
    summary: 'List the names to show instead of sign-in names',
    permission: 'readNames',
    answers: { 200: personNames },
  },
  'POST /api/admin/people': {
    ...managePeople,
    summary: 'Invite a person; only this answer contains the token of the link',
    body: invitationRequest,
    answers: { 201: passwordLink },
    problems: [409, 422],
  },
  'POST /api/admin/people/:username/link': {
    ...managePeople,
    summary: 'Make another link with which the person chooses a password',
    body: nothing,
    answers: { 201: passwordLink },
  },
  'POST /api/admin/people/:username/role': {
    ...managePeople,
    summary: 'Give a person another role; their sessions end',
    body: roleRequest,
    answers: { 204: null },
    problems: [404, 409, 422],
  },
  'POST /api/admin/people/:username/disable': {
    ...managePeople,
    summary: 'Disable an account; its sessions and export tokens end',
    body: nothing,
    answers: { 204: null },
  },
  'POST /api/admin/people/:username/enable': {
    ...managePeople,
    summary: 'Enable a disabled account',
    body: nothing,
    answers: { 204: null },
  },
  'GET /api/admin/security-log': {
    summary: 'List the entries of the security log, newest first',
    permission: 'readSecurityLog',
    query: securityLogQuery,
    answers: { 200: securityLog },
  },
} as const satisfies OfficeCalls;
