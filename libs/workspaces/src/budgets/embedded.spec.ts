import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { budgetsContract } from './budgets.contract';

budgetsContract('embedded storage', () => embeddedDatabase('budgets'));
