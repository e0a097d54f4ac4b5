/** What starts with JupyterLab for the editor is the file type and its commands: the editor itself is loaded later. */

// @vitest-environment node
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the editor adds at most 3 KB to the start of JupyterLab', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/lab/workflow_document.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    external: ['./workflow_widget'],
  });

  const packed = new Blob([outputFiles[0]?.text ?? '']).stream().pipeThrough(new CompressionStream('gzip'));
  const { byteLength } = await new Response(packed).arrayBuffer();
  expect(byteLength).toBeGreaterThan(500);
  expect(byteLength).toBeLessThanOrEqual(3_000);
});
