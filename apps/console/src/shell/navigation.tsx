import { Nav, NavItem, NavList, PageContext } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { NavLink, useLocation } from 'react-router';
import { settingsQuery } from '../api/console-settings';
import { may } from '../api/permission';
import { useTexts } from '../language/language-context';
import { routes, type Route } from '../routes';
import { useSession } from '../session/session-context';
import { shellTexts } from './texts';

/** The pages that the roles of the viewer may see. */
export function useNavigation(): readonly (Route & { readonly title: string })[] {
  const { pages } = useTexts(shellTexts);
  const session = useSession();
  const { data: settings } = useQuery(settingsQuery);
  const isShown = ({ key, needs, everywhere, sandbox }: Route): boolean =>
    key !== undefined &&
    may(session, needs, everywhere ? null : undefined) &&
    (sandbox !== true || settings?.sandbox === true);
  return routes.filter(isShown).map((route) => ({ ...route, title: pages[route.name] }));
}

/** The id of the button that shows and hides the navigation. */
export const NAVIGATION_TOGGLE = 'nav-toggle';

/** Hides the navigation where it lies over the page, on narrow screens; there Escape does so too. */
function useHiding(): () => void {
  const { isMobile, isSidebarOpen, onSidebarToggle } = use(PageContext);
  const isOver = isMobile && isSidebarOpen;
  useEffect(() => {
    if (!isOver) return undefined;
    const hideOnEscape = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      onSidebarToggle();
      document.getElementById(NAVIGATION_TOGGLE)?.focus();
    };
    document.addEventListener('keydown', hideOnEscape);
    return () => document.removeEventListener('keydown', hideOnEscape);
  }, [isOver, onSidebarToggle]);
  return () => {
    if (isOver) onSidebarToggle();
  };
}

export function Navigation() {
  const { navigation } = useTexts(shellTexts);
  const { pathname } = useLocation();
  const hide = useHiding();
  return (
    <Nav aria-label={navigation} onSelect={hide}>
      <NavList>
        {useNavigation().map(({ name, path, title }) => (
          <NavItem key={name} isActive={path === '/' ? pathname === '/' : pathname.startsWith(path)}>
            <NavLink to={path}>{title}</NavLink>
          </NavItem>
        ))}
      </NavList>
    </Nav>
  );
}
