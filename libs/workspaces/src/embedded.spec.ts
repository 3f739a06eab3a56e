import { describeInFull, embeddedDatabase } from '@opendsr-service/storage/testing';
import { credentialsContract } from './credentials.contract';
import { participantsContract } from './participants.contract';
import { workspacesContract } from './workspaces.contract';

const create = () => embeddedDatabase('workspaces');

workspacesContract('embedded storage', create);
participantsContract('embedded storage', create);
describeInFull('as on servers', () => credentialsContract('embedded storage', create));
