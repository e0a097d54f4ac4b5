import { expect, test } from 'vitest';

import { markup } from '../src/render/safe_html';

function html(given: string): string {
  const box = document.createElement('div');
  box.append(markup(given));
  return box.innerHTML;
}

test.each([
  ['<p>one <em>two</em> <strong>three</strong></p>', '<p>one <em>two</em> <strong>three</strong></p>'],
  ['<ul><li><code>x</code></li></ul>', '<ul><li><code>x</code></li></ul>'],
  ['a &lt;b&gt; &amp; c', 'a &lt;b&gt; &amp; c'],
  ['<h1>Head</h1>', '<p class="wfnb-heading">Head</p>'],
])('what is allowed is copied: %s', (given, wanted) => {
  expect(html(given)).toBe(wanted);
});

test.each([
  ['<p onclick="alert(1)" style="color:red" class="x" id="y">a</p>', '<p>a</p>'],
  ['<a href="javascript:alert(1)">go</a>', 'go'],
  ['<img src=x onerror=alert(1)>', ''],
  ['<script>alert(1)</script>after', 'after'],
  ['<style>body{}</style>after', 'after'],
  ['<svg><a href="javascript:alert(1)"><text>x</text></a></svg>after', 'after'],
  ['<iframe srcdoc="<p>in</p>"></iframe>after', 'after'],
  ['<form action="/x"><input name=a><p>kept</p></form>', '<p>kept</p>'],
  ['<div><span>kept</span></div>', 'kept'],
  ['<!-- <script>alert(1)</script> -->after', 'after'],
  ['<template><script>alert(1)</script></template>after', 'after'],
  ['<math><mtext><script>alert(1)</script></mtext></math>after', 'after'],
])('what is not allowed is left out: %s', (given, wanted) => {
  expect(html(given)).toBe(wanted);
});

test('a text as deep as one likes ends', () => {
  const deep = markup(`${'<blockquote>'.repeat(300)}end`);

  let depth = 0;
  for (let node: Node | null = deep.firstChild; node !== null; node = node.firstChild) {
    depth++;
  }
  expect(depth).toBeLessThan(100);
});
