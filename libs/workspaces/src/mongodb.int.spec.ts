import { describeInFull, mongodbDatabase } from '@opendsr-service/storage/testing';
import { credentialsContract } from './credentials.contract';
import { participantsContract } from './participants.contract';
import { workspacesContract } from './workspaces.contract';

const create = () => mongodbDatabase('workspaces');

workspacesContract('MongoDB', create);
credentialsContract('MongoDB', create);
describeInFull('on servers', () => participantsContract('MongoDB', create));
