import { officeStart as schema } from '@kilim/bff/contract/session';
import { parseJson } from '../../../shared/parse-json.ts';

/** What the server wrote into the page. Undefined after a sign-in, or if the server could not ask the database. */
export const officeStart = schema.safeParse(parseJson(document.getElementById('kilim-office')?.textContent)).data;
