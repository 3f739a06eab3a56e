import AdjustIcon from '@patternfly/react-icons/dist/esm/icons/adjust-icon';
import LanguageIcon from '@patternfly/react-icons/dist/esm/icons/language-icon';
import UserIcon from '@patternfly/react-icons/dist/esm/icons/user-icon';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { useLanguage, useTexts } from '../language/language-context';
import { languages } from '../language/languages';
import { themes, useTheme } from '../look/theme-context';
import { useSession } from '../session/session-context';
import { Menu } from './menu';
import { shellTexts } from './texts';
import { HELP_KEY } from './use-keys';

export function ThemeMenu() {
  const t = useTexts(shellTexts);
  const { theme, choose } = useTheme();
  const entries = themes.map((name) => ({
    ...{ name, label: t.themes[name], isSelected: name === theme },
    onSelect: () => choose(name),
  }));
  return <Menu label={t.theme} icon={<AdjustIcon />} entries={entries} />;
}

export function LanguageMenu() {
  const t = useTexts(shellTexts);
  const { language, choose } = useLanguage();
  const entries = languages.map((name) => ({
    ...{ name, label: t.languages[name], isSelected: name === language },
    onSelect: () => choose(name),
  }));
  return <Menu label={t.language} icon={<LanguageIcon />} entries={entries} />;
}

interface UserMenuProps {
  readonly hasKeys: boolean;
  /** Shows which keys there are. */
  readonly onKeys: () => void;
}

export function UserMenu({ hasKeys, onKeys }: UserMenuProps) {
  const t = useTexts(shellTexts);
  const { subject, roles } = useSession();
  const client = useQueryClient();
  const leave = (path: '/operator/v1/session' | '/operator/v1/sessions') => async (): Promise<void> => {
    // A session that has ended before is left as well; where no answer comes, the page asks who is there.
    await api.DELETE(path).catch(() => undefined);
    // Nothing of what was read stays in the memory of the page.
    client.clear();
    location.reload();
  };
  const held = roles.map(({ role, workspace }) => `${role} (${workspace ?? t.everywhere})`).join(', ');
  return (
    <Menu
      label={t.signedInAs(subject)}
      icon={<UserIcon />}
      heading={`${t.signedInAs(subject)}: ${held}`}
      entries={[
        { name: 'keys', label: hasKeys ? t.keysOf(HELP_KEY) : t.keys, onSelect: onKeys },
        { name: 'out', label: t.signOut, onSelect: () => void leave('/operator/v1/session')() },
        { name: 'everywhere', label: t.signOutEverywhere, onSelect: () => void leave('/operator/v1/sessions')() },
      ]}
    />
  );
}
