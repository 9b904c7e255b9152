export * from './connectionErrors';
export * from './dataGridError';
export * from './callerErrors';
export * from './outcomeErrors';
export * from './permissionErrors';
export * from './responseErrors';
export * from './statusErrors';
