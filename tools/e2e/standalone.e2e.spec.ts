import { startStandalone } from './standalone';
import { serviceContract } from './suite.contract';

serviceContract('one process on embedded stores', () => startStandalone());
