/** node tests/page/make.mjs FOLDER: the page to look at, whole, in a folder. In its address:
 *  #w=300&set=mock|lanes|many|branches|runs|…&tab=0&dark&widget&full&filter=words&keys=ArrowUp+Enter. */

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
cpSync(join(here, 'page.html'), join(folder, 'page.html'));
for (const style of ['wfnb.css', 'tabs.css']) {
  cpSync(join(here, '../../style', style), join(folder, style));
}
await build({ entryPoints: [join(here, 'page.ts')], bundle: true, minify: true, outfile: join(folder, 'page.js') });
