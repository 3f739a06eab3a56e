export { Browser } from './browser';
export { TestProvider } from './test-provider';
