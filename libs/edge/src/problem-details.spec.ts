import 'reflect-metadata';
import { Controller, Get, Module, UseFilters } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAdapter } from './adapter';
import { preconditionFailed } from './api-error';
import { ProblemErrorFilter } from './error-filters';
import { defaultLimits } from './limits';

@Controller('operator')
@UseFilters(ProblemErrorFilter)
class ThingsController {
  @Get('changed')
  changed(): void {
    throw preconditionFailed();
  }

  @Get('planted')
  planted(): void {
    throw new Error('planted');
  }
}

@Module({ controllers: [ThingsController] })
class Root {}

let app: NestFastifyApplication;
beforeAll(async () => {
  const adapter = createAdapter(defaultLimits, { errorStyle: (path) => (path?.startsWith('/op') ? 'problem' : 'dsr') });
  app = await NestFactory.create<NestFastifyApplication>(Root, adapter, { logger: false, abortOnError: false });
  await app.init();
});
afterAll(() => app.close());

it.each([
  ['/operator/changed', 412, 'Precondition Failed', 'It has changed since it was read: read it again.'],
  ['/operator/planted', 500, 'Internal Server Error', 'The service failed to answer.'],
  ['/operator/unknown', 404, 'Not Found', 'Nothing is known under this address.'],
])('answers the errors of %s with problem details, the ones before a controller included', async (url, ...said) => {
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
  const { errors, ...problem } = JSON.parse(body) as { errors: { message: string }[] };
  expect([statusCode, headers['content-type']]).toEqual([said[0], 'application/problem+json']);
  expect(problem).toEqual({ type: 'about:blank', status: said[0], title: said[1], detail: said[2] });
  expect(errors.map(({ message }) => message)).toEqual([said[2]]);
});
