import { isRole, type Role, roles } from '@kilim/domain/people/permissions';
import { officeTexts } from '../shared/texts.ts';
import { Field } from '../shared/ui/field.tsx';
import styles from './people.module.css';
import { peopleTexts } from './texts.ts';

type RoleFieldProps = { readonly role: Role; readonly onRole: (role: Role) => void };

export function RoleField({ role, onRole }: RoleFieldProps) {
  return (
    <Field label={peopleTexts.role} hint={peopleTexts.roleHints[role]}>
      {(control) => (
        <select
          {...control}
          className={styles.select}
          value={role}
          onChange={({ target }) => isRole(target.value) && onRole(target.value)}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {officeTexts.roles[each]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
