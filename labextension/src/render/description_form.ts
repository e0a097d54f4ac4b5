/** A step's title, reason and tags, edited in its card: no new version, and nothing gets stale. */

import type { Link } from '../link';
import type { Card, Row } from '../protocol';
import { __ } from '../translation';
import { h } from './dom';
import { writes } from './read_only';
import { button, statusLine } from './status_line';

export interface Describing {
  root: HTMLElement;
  /** With what is written there now; the first field has the focus. */
  open(row: Row, card: Card): void;
  close(): void;
}

let made = 0;

export function describing(link: Link, filled: (change: () => void) => void): Describing {
  const id = `wfnb-describing-${++made}`;
  let shown: { key: number; title: string; reason: string; tags: string } | null = null;

  const field = { 'data-lm-suppress-shortcuts': 'true', autocomplete: 'off' };
  const title = h('input', { id: `${id}-title`, maxlength: 1000, ...field });
  const reason = h('textarea', { id: `${id}-reason`, rows: 3, ...field });
  const tags = h('input', { id: `${id}-tags`, maxlength: 1000, spellcheck: 'false', placeholder: __('data, slow'), ...field });
  const refused = statusLine();
  const save = writes(button(__('Save'), () => void submit()));
  const cancel = button(__('Cancel'), () => filled(close), 'wfnb-link');
  const root = h(
    'div',
    { class: 'wfnb-describing', role: 'group', 'aria-label': __('Title, reason and tags'), hidden: true },
    h('label', { for: title.id }, __('Title')),
    title,
    h('label', { for: reason.id }, __('Reason')),
    reason,
    h('label', { for: tags.id }, __('Tags')),
    tags,
    refused.root,
    h('div', { class: 'wfnb-describing-deeds' }, save, cancel),
  );
  // what is typed here is for nobody else: the list under it has keys of its own
  for (const type of ['keydown', 'click', 'dblclick'] as const) {
    root.addEventListener(type, (event) => event.stopPropagation());
  }
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      filled(close);
    } else if (event.key === 'Enter' && (event.target !== reason || event.ctrlKey || event.metaKey)) {
      if (event.target !== cancel) {
        event.preventDefault();
        void submit();
      }
    }
  });

  async function submit(): Promise<void> {
    const before = shown;
    if (before === null) {
      return;
    }
    const { key } = before;
    const now = { title: title.value.trim(), reason: reason.value.trim(), tags: listed(tags.value) };
    const went = await refused.of(async () => {
      if (now.title !== before.title || now.reason !== before.reason) {
        // what was not touched stays as it is by now
        await link.ask('describe', {
          key, ...(now.title !== before.title && { title: now.title }), ...(now.reason !== before.reason && { reason: now.reason }),
        });
      }
      if (now.tags.join() !== before.tags) {
        await link.ask('tag', { key, tags: now.tags });
      }
    }, [save]);
    if (went && shown === before) {
      filled(close);
    }
  }

  function close(): void {
    shown = null;
    root.hidden = true;
    refused.say('');
  }

  return {
    root,
    open({ key, tags: named }, { description }) {
      const [first = '', ...rest] = (description ?? '').trim().split('\n');
      shown = { key, title: first.trim(), reason: rest.join('\n').trim(), tags: (named ?? []).join() };
      title.value = shown.title;
      reason.value = shown.reason;
      tags.value = (named ?? []).join(', ');
      root.hidden = false;
      title.focus();
    },
    close,
  };
}

const listed = (text: string): string[] => [...new Set(text.split(/[\s,]+/).map((tag) => tag.replace(/^#/, '')))].filter(Boolean);
