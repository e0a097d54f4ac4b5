import { LabIcon } from '@jupyterlab/ui-components';

/** Two lanes of a history: what the timeline draws. */
export const icon = new LabIcon({
  name: 'wfnb:panel',
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">
<g class="jp-icon3" fill="#616161"><circle cx="7" cy="4.5" r="2.5"/><circle cx="7" cy="19.5" r="2.5"/>
<rect x="14.5" y="10" width="5" height="5"/></g>
<path class="jp-icon3-stroke wfnb-icon-line" fill="none" stroke="#616161" stroke-width="1.8" d="M7 7v10M7 7c0 4 3 5.5 7.5 5.5"/>
</svg>`,
});
