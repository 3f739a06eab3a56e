import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { budgetsContract } from './budgets.contract';

budgetsContract('MongoDB', () => mongodbDatabase('budgets'));
