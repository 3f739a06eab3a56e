import { describeInFull, mongodbDatabase } from '@opendsr-service/storage/testing';
import { credentialsContract } from './credentials.contract';
import { participantsContract } from './participants.contract';
import { workspacesContract } from './workspaces.contract';

const create = () => mongodbDatabase('workspaces');

credentialsContract('MongoDB', create);
describeInFull('on servers', () => {
  workspacesContract('MongoDB', create);
  participantsContract('MongoDB', create);
});
