/** What can be done with a thing → a menu of JupyterLab at a point of the page: it takes the keyboard until it closes. */

import { CommandRegistry } from '@lumino/commands';
import { Menu } from '@lumino/widgets';

import type { Item } from '../view_host';

export function openMenu(items: readonly Item[], x: number, y: number, closed: () => void): void {
  const commands = new CommandRegistry();
  const menu = new Menu({ commands });
  items.forEach(({ label, act }, at) => {
    const command = String(at);
    commands.addCommand(command, {
      label: label.charAt(0).toUpperCase() + label.slice(1), // as all menus there
      isEnabled: () => act !== null,
      execute: () => act?.(),
    });
    menu.addItem({ command });
  });
  menu.aboutToClose.connect(() => {
    closed();
    void Promise.resolve().then(() => menu.dispose()); // what was chosen is done after it has closed
  });
  menu.open(x, y);
}
