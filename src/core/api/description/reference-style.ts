/** How the page of reference looks, in light and in dark, from narrow to wide, and on paper. */
export const REFERENCE_STYLE = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2430, #e6e9ee);
  --faint: light-dark(#56606e, #a3adba);
  --paper: light-dark(#ffffff, #14181e);
  --panel: light-dark(#f5f7f9, #1c222a);
  --line: light-dark(#d9dfe6, #323b47);
  --accent: light-dark(#0b5c8a, #7cc4ef);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 80rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", monospace; }
pre { margin: .5rem 0 0; max-height: 26rem; overflow: auto; padding: .9rem 1rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: .4rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .3rem .6rem; }
header { padding: 2.5rem 0 1.5rem; border-bottom: 1px solid var(--line); }
header p { max-width: 46rem; }
.kind { margin: 0; color: var(--faint); font-size: .85rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: .1rem 0 .8rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.4rem; }
h3 { margin: 0 0 .4rem; font-size: 1rem; overflow-wrap: anywhere; }
.facts, .note, .count { color: var(--faint); }
.note { font-size: .8rem; padding: 0 .4rem; border: 1px solid var(--line); border-radius: .8rem; white-space: nowrap; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; }
nav { font-size: .9rem; padding-top: 1.5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .15rem 0; overflow-wrap: anywhere; }
nav li li { padding-left: 1rem; }
nav li li a { text-decoration: none; }
nav li li a:hover { text-decoration: underline; }
summary { cursor: pointer; padding: .15rem 0; }
article { margin: 1.2rem 0; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .5rem; }
article p { margin: .3rem 0; }
.method { font-size: .75rem; font-weight: 700; padding: .1rem .45rem; border-radius: .25rem; background: var(--accent); color: var(--paper); }
.call { padding: .4rem .7rem; background: var(--panel); border-radius: .3rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: .35rem .8rem .35rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { color: var(--faint); border-top: 0; }
@media (min-width: 60rem) {
  .columns { grid-template-columns: 17rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 2rem; }
}
@media print {
  nav, .skip { display: none; }
  article { break-inside: avoid; }
}
`;
