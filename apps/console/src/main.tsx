import { QueryClientProvider } from '@tanstack/react-query';
import '@patternfly/react-core/dist/styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { onSessionDoubt } from './api/client';
import { makeQueryClient } from './api/query-client';
import { sessionQuery } from './api/session';
import { LanguageProvider } from './language/language-context';
import { ThemeProvider } from './look/theme-context';
import './look/console.css';
import { makeRouter } from './router';
import { takePlace } from './session/return-place';
import { failureIn } from './session/sign-in-failure';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');

const client = makeQueryClient();
onSessionDoubt(() => void client.invalidateQueries(sessionQuery, { cancelRefetch: false }));

const failure = failureIn(location.search);
const router = makeRouter(failure);
// Back from the identity provider.
const place = takePlace(sessionStorage) ?? (failure && '/');
if (place !== undefined) void router.navigate(place, { replace: true });

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ThemeProvider>
        <LanguageProvider>
          <RouterProvider router={router} />
        </LanguageProvider>
      </ThemeProvider>
    </QueryClientProvider>
  </StrictMode>,
);
