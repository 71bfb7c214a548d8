export { problem as problemSchema } from '@kilim/bff/contract/problem';
export { customerInfo as customerInfoSchema } from '@kilim/bff/contract/quote';
