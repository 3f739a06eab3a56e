import 'reflect-metadata';
import { Controller, Get, Post } from '@nestjs/common';
import { errorOfStatus, type ApiDescription } from '@opendsr-service/edge';
import { openApi } from './openapi';
import { routesOf } from './routes';

@Controller('v9/things')
class Things {
  @Get()
  list(): void {}

  @Post([':id(^-?\\d+$)/change', 'all'])
  change(): void {}

  helper(): void {}
}

@Controller()
class NoHttp {}

const described = (...routes: string[]): ApiDescription => ({
  name: 'v9',
  info: { title: '', version: '', summary: '', description: '' },
  tags: [],
  errorStyle: 'dsr',
  securitySchemes: {},
  controllers: [Things],
  operations: Object.fromEntries(
    routes.map((route) => [
      route,
      { operationId: route, tags: [], summary: '', description: '', responses: {}, errors: [errorOfStatus(404)] },
    ]),
  ),
  schemas: {},
  bodies: {},
});

it('reads the routes of a controller from its decorators, each of several paths, and what a parameter must look like left out', () => {
  expect(routesOf(Things)).toEqual(['GET /v9/things', 'POST /v9/things/{id}/change', 'POST /v9/things/all']);
  expect(routesOf(NoHttp)).toEqual([]);
});

it('refuses a route that is not described, and a description that is no route', () => {
  const all = routesOf(Things);
  expect(Object.keys((openApi(described(...all)) as { paths: object }).paths)).toEqual([
    '/v9/things',
    '/v9/things/{id}/change',
    '/v9/things/all',
  ]);
  expect(() => openApi(described(...all.slice(1)))).toThrow('v9: GET /v9/things is not described');
  expect(() => openApi(described(...all, 'GET /v9/elsewhere'))).toThrow(
    'v9: GET /v9/elsewhere is described, but no route',
  );
});
