export { SqliteFile } from './sqlite/file';
export { prepared } from './sqlite/statements';
