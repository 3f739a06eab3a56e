import { startStandalone } from './standalone';
import { serviceContract } from './suite.contract';

serviceContract({ name: 'one process on embedded stores', onMongodb: false, half: 'edge' }, () => startStandalone());
