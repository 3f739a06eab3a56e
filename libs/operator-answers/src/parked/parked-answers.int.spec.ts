import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { parkedAnswersContract } from './parked-answers.contract';

parkedAnswersContract('MongoDB', mongodbDatabase('parked-answers'));
