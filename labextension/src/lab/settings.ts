/** The settings that schema/plugin.json describes, read and read again when a person changes them. */

import type { ISettingRegistry } from '@jupyterlab/settingregistry';

export interface Settings {
  follow: boolean;
  badges: boolean;
  side: 'left' | 'right';
  autoLoad: boolean;
}

export const DEFAULTS: Settings = { follow: true, badges: true, side: 'right', autoLoad: false };

export async function settings(
  registry: ISettingRegistry | null,
  id: string,
  use: (settings: Settings) => void,
): Promise<void> {
  const found = await registry?.load(id).catch(() => undefined);
  if (!found) {
    return;
  }
  const read = (): void => {
    const said = found.composite as Partial<Settings>;
    use({
      follow: said.follow ?? DEFAULTS.follow,
      badges: said.badges ?? DEFAULTS.badges,
      side: said.side ?? DEFAULTS.side,
      autoLoad: said.autoLoad ?? DEFAULTS.autoLoad,
    });
  };
  found.changed.connect(read);
  read();
}
