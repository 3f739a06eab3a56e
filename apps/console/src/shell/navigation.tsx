import { Nav, NavItem, NavList } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
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

export function Navigation() {
  const { navigation } = useTexts(shellTexts);
  const { pathname } = useLocation();
  return (
    <Nav aria-label={navigation}>
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
