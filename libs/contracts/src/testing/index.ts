export { SchemaChecks } from './schema-checks';
