/** The settings that schema/plugin.json describes, read and read again when a person changes them. */

import type { ISettingRegistry } from '@jupyterlab/settingregistry';

import { term } from '../translation';

export interface Settings {
  follow: boolean;
  badges: boolean;
  side: 'left' | 'right';
  autoLoad: boolean;
}

export const DEFAULTS: Settings = { follow: true, badges: true, side: 'right', autoLoad: false };

/** The editor of settings shows them as the schema has them, which is read again after each change. */
function translate(schema: ISettingRegistry.ISchema): void {
  for (const each of [schema, ...Object.values(schema.properties ?? {})]) {
    each.title = term(each.title ?? '');
    each.description = term(each.description ?? '');
  }
}

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
    translate(found.schema);
    use({ ...DEFAULTS, ...(found.composite as Partial<Settings>) });
  };
  found.changed.connect(read);
  read();
}
