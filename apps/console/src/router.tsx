import type { ComponentType } from 'react';
import { createBrowserRouter, Outlet, type RouteObject } from 'react-router';
import { Problem } from './api/problem';
import { LiveProvider } from './live/live-context';
import { pages } from './pages/pages';
import { Loading } from './parts/loading';
import { routes } from './routes';
import type { SignInFailure } from './session/sign-in-failure';
import { PageFailure, UnknownPage } from './shell/page-failure';
import { SessionGate } from './shell/session-gate';
import { Shell } from './shell/shell';
import { SignInByLink } from './shell/sign-in-by-link';

const pageRoute = ({ name, path }: (typeof routes)[number]): RouteObject => ({
  path,
  lazy: async (): Promise<{ Component: ComponentType }> => ({
    Component: (await pages[name]().catch(notLoaded)).default,
  }),
});

/** Browsers do not say why a script did not come. */
function notLoaded(error: unknown): never {
  throw new Problem({ status: 0, detail: String(error) });
}

/** The pages of routes.ts, and nothing else. `failure`: of the sign-in that the browser comes from. */
export const makeRouter = (failure: SignInFailure | undefined) =>
  createBrowserRouter(
    [
      { path: '/sign-in', Component: SignInByLink },
      {
        HydrateFallback: Loading,
        element: (
          <SessionGate failure={failure}>
            <LiveProvider>
              <Shell />
            </LiveProvider>
          </SessionGate>
        ),
        children: [
          { element: <Outlet />, errorElement: <PageFailure />, children: routes.map(pageRoute) },
          { path: '*', loader: notFound, errorElement: <PageFailure /> },
        ],
      },
    ],
    { basename: '/console' },
  );

function notFound(): never {
  throw new UnknownPage();
}
