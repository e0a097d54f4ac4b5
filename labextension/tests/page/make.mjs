/** node tests/page/make.mjs FOLDER: the page to look at, whole, in a folder. In its address:
 *  #w=300&set=mock|lanes|many|branches|runs|…&tab=0&dark&widget&full&filter=words&keys=ArrowUp+Enter. */

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
for (const page of ['page.html', 'tabs.html']) {
  cpSync(join(here, page), join(folder, page));
}
for (const style of ['wfnb.css', 'tabs.css']) {
  cpSync(join(here, '../../style', style), join(folder, style));
}
const entryPoints = [join(here, 'page.ts'), join(here, 'tabs.ts')];
await build({ entryPoints, bundle: true, minify: true, outdir: folder });
