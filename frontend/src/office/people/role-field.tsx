import { type Role, roles } from '@kilim/domain/people/permissions';
import { officeTexts } from '../shared/texts.ts';
import { SelectField } from '../shared/ui/field.tsx';
import { peopleTexts } from './texts.ts';

type RoleFieldProps = { readonly role: Role; readonly onRole: (role: Role) => void };

export function RoleField({ role, onRole }: RoleFieldProps) {
  return (
    <SelectField
      label={peopleTexts.role}
      hint={peopleTexts.roleHints[role]}
      value={role}
      options={roles.map((each) => [each, officeTexts.roles[each]] as const)}
      onChoose={onRole}
    />
  );
}
