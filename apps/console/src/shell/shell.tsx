import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  SkipToContent,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useTexts } from '../language/language-context';
import { readChoice, removeChoice, writeChoice } from '../look/choices';
import { Loading } from '../parts/loading';
import { MAIN } from '../parts/page';
import { KeyHelp } from './key-help';
import { LanguageMenu, ThemeMenu, UserMenu } from './menus';
import { Navigation, NAVIGATION_TOGGLE, useNavigation } from './navigation';
import { SearchBox } from './search-box';
import { shellTexts } from './texts';
import { useFocusKept } from './use-focus-kept';
import { useKeys } from './use-keys';

/** Kept where the viewer wants no keys. */
const OFF = 'off';

/** The next key goes on from the page that was gone to, and readers of screens begin there. Filters stay where they are. */
function useFocusOnPage(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.getElementById(MAIN)?.focus();
  }, [pathname]);
}

/** What surrounds every page: the way to other pages, the search, and who is signed in. */
export function Shell() {
  const t = useTexts(shellTexts);
  const search = useRef<HTMLInputElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const focusSearch = useCallback(() => search.current?.focus(), []);
  const showHelp = useCallback(() => setHelpOpen(true), []);
  const [hasKeys, setKeys] = useState(() => readChoice('keys') !== OFF);
  const switchKeys = (areOn: boolean): void => {
    if (areOn) removeChoice('keys');
    else writeChoice('keys', OFF);
    setKeys(areOn);
  };
  useFocusOnPage();
  useFocusKept();
  useKeys({ pages: useNavigation(), areOn: hasKeys, focusSearch, showHelp });
  const masthead = (
    <Masthead>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton id={NAVIGATION_TOGGLE} isHamburgerButton aria-label={t.openNavigation} />
        </MastheadToggle>
        <MastheadBrand>
          <Link className="console-brand" to="/">
            {t.name}
          </Link>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isFullHeight isStatic>
          <ToolbarContent>
            <ToolbarItem className="console-search-item">
              <SearchBox inputRef={search} hasKeys={hasKeys} />
            </ToolbarItem>
            <ToolbarGroup align={{ default: 'alignEnd' }} variant="action-group-plain">
              <ThemeMenu />
              <LanguageMenu />
              <UserMenu hasKeys={hasKeys} onKeys={showHelp} />
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
  const sidebar = (
    <PageSidebar>
      <PageSidebarBody>
        <Navigation />
      </PageSidebarBody>
    </PageSidebar>
  );
  return (
    <Page
      masthead={masthead}
      sidebar={sidebar}
      isManagedSidebar
      isContentFilled
      mainComponent="div"
      skipToContent={<SkipToContent href={`#${MAIN}`}>{t.skip}</SkipToContent>}
    >
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
      {isHelpOpen && <KeyHelp areOn={hasKeys} onSwitch={switchKeys} onClose={() => setHelpOpen(false)} />}
    </Page>
  );
}
