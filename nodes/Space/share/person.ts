import { emailOf, roleOf } from '../../shared/inputs/person';

export const email = emailOf('The email address of the person');

export const role = roleOf('What the person may do in the space');
