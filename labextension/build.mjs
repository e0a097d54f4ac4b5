// src/, style/ → the files that are installed: what a kernel hands to a widget (wfnb/jupyter/panel/static/)
// and what JupyterLab loads (dist/, made by the builder of JupyterLab itself).

import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);
const fixed = { absWorkingDir: here, bundle: true, format: 'esm', target: 'es2022', logLevel: 'warning' };

function widget() {
  const out = at('..', 'wfnb', 'jupyter', 'panel', 'static');
  return Promise.all(
    [
      ['src/render/view.ts', 'renderer.js'],
      ['src/widget.ts', 'widget.js'],
      ['style/index.css', 'wfnb.css']
    ].map(([entry, name]) =>
      build({ ...fixed, entryPoints: [entry], outfile: join(out, name), minify: true, charset: 'utf8' })
    )
  );
}

async function lab() {
  rmSync(at('build'), { recursive: true, force: true });
  await build({
    ...fixed,
    entryPoints: ['src/lab/plugin.ts'],
    outdir: at('build'),
    packages: 'external',
    loader: { '.css': 'text' },
    splitting: true,
    minifySyntax: true, // the builder makes it smaller still; it cannot where white space is gone, too
    minifyIdentifiers: true
  });
  await build({ ...fixed, entryPoints: ['style/lab.css'], outdir: at('build'), minify: true, charset: 'utf8' });
  const builder = at('node_modules', '@jupyter', 'builder', 'lib', 'build-labextension.js');
  const core = at('node_modules', '@jupyterlab', 'core-meta', 'core.package.json');
  execFileSync(process.execPath, [builder, '--core-package-file', core, '.'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit']
  });
}

await Promise.all([widget(), lab()]);
