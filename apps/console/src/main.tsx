import { QueryClientProvider } from '@tanstack/react-query';
import '@patternfly/react-core/dist/styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router';
import { makeQueryClient } from './api/query-client';
import { LanguageProvider } from './language/language-context';
import { ThemeProvider } from './look/theme-context';
import './look/console.css';
import { makeRouter } from './router';
import { takePlace } from './session/return-place';
import { failureIn } from './session/sign-in-failure';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');

const failure = failureIn(location.search);
const router = makeRouter(failure);
// Back from the identity provider.
const place = takePlace(sessionStorage) ?? (failure && '/');
if (place !== undefined) void router.navigate(place, { replace: true });

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={makeQueryClient()}>
      <ThemeProvider>
        <LanguageProvider>
          <RouterProvider router={router} />
        </LanguageProvider>
      </ThemeProvider>
    </QueryClientProvider>
  </StrictMode>,
);
