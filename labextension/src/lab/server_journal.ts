/** A notebook's path → its history as the server reads it from the journal (wfnb/server/). It answers what a kernel
 *  would, and changes nothing.
 */

import { ServerConnection } from '@jupyterlab/services';

import { Refused } from '../link';
import type { Ask, Asks, Checked, CheckedOf, Figure, FoundPage, News } from '../protocol';
import { __ } from '../translation';

const WORDS: ReadonlySet<Ask> = new Set<Ask>(['snapshot', 'rows', 'card', 'source', 'compare', 'compare_code', 'run', 'report']);

/** Where the notebook is, as the server names it, and which session it says is its own. */
export interface Where {
  path: string;
  session: string | null;
}

export interface Journal {
  /** Rejects with `Refused` where the server said no, with another error where it did not answer. */
  ask<K extends Ask>(word: K, args: Asks[K][0]): Promise<Asks[K][1]>;
  /** The picture that there is now; null where it is the one of this `version`. */
  look(version?: string): Promise<News | null>;
  /** What words find in all sessions that are kept where that of the notebook is: a page of them. */
  search(text: string, first: number): Promise<FoundPage>;
  /** What the step showed that has this name; null where that is not kept, or not its own any more. */
  figure(key: number, name: string): Promise<Figure | null>;
}

export function journal(where: () => Where, settings = ServerConnection.makeSettings()): Journal {
  async function get(word: Ask | 'figure' | 'search', args: object): Promise<unknown> {
    const { path, session } = where();
    const query = new URLSearchParams(pairs({ path, ...(session !== null && { session }), ...args }));
    return request(`${word}?${query.toString()}`, {}, settings);
  }

  return {
    look: (version) => get('snapshot', { ...(version !== undefined && { version }) }) as Promise<News | null>,
    search: (text, first) => get('search', { text, first }) as Promise<FoundPage>,
    figure: (key, name) => get('figure', { key, name }) as Promise<Figure | null>,
    async ask<K extends Ask>(word: K, args: Asks[K][0]): Promise<Asks[K][1]> {
      if (word === 'close_run') {
        return null as Asks[K][1];
      }
      if (!WORDS.has(word)) {
        throw new Refused('ReadOnly', __('This needs wfnb in a kernel: load it first.'));
      }
      return (await get(word, args)) as Asks[K][1];
    },
  };
}

/** What is wrong with the text of a workflow's file, as far as a server without a kernel knows. */
export function checkedByServer(path: string, text: string, { action, opened }: CheckedOf, settings = ServerConnection.makeSettings()): Promise<Checked> {
  const posted = { method: 'POST', body: JSON.stringify({ path, text, action, opened }) };
  return request('check', posted, settings) as Promise<Checked>;
}

async function request(word: string, init: RequestInit, settings: ServerConnection.ISettings): Promise<unknown> {
  const address = `${settings.baseUrl.replace(/\/*$/, '/')}wfnb/${word}`;
  const reply = await ServerConnection.makeRequest(address, init, settings);
  const answer: unknown = await reply.json().catch(() => null);
  if (!reply.ok) {
    const { error, message } = (answer ?? {}) as { error?: string; message?: string };
    throw new Refused(error ?? String(reply.status), message ?? __('The server said: %1.', reply.statusText));
  }
  return answer;
}

/** Lists as the same name several times; a filter's facts beside the others. */
function pairs(args: object): [string, string][] {
  return Object.entries(args).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) {
      return value.map((each) => [name, String(each)]);
    }
    if (typeof value === 'object' && value !== null) {
      return pairs(value as object);
    }
    return value === undefined || value === null ? [] : [[name, String(value)]];
  });
}
