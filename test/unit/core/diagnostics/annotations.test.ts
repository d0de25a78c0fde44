import { expect, test } from 'vitest';
import { finding } from '../../../../src/core/diagnostics/finding.ts';
import { githubAnnotations } from '../../../../src/core/diagnostics/render.ts';

test('a finding becomes a GitHub Actions command with escaped special characters', () => {
  const place = { file: 'sites/a,b/100%.yaml', line: 3, column: 5 };
  expect(
    githubAnnotations([
      finding('uid-not-a-uuid', { uid: 'x: 100%\ny' }, place),
      finding('field-name', { field: 'ram_sise', suggestion: 'ram_size' }, { file: 'n.yaml' }),
      finding('history-empty', {}),
    ]),
  ).toBe(`::error file=sites/a%2Cb/100%25.yaml,line=3,col=5,title=gridpress uid-not-a-uuid::The uid "x: 100%25%0Ay" is not a lowercase UUID.%0AGive the node a UUID, or set "node_uid: name" in gridpress.yaml.
::warning file=n.yaml,title=gridpress field-name::Unknown field "ram_sise". Did you mean "ram_size"?%0AIf so, correct the name. Unknown fields are kept unchanged.
::error title=gridpress history-empty::The registry has no history.%0ARecord its current state: gridpress record -m "First revision".
`);
});

test('no findings give no output', () => {
  expect(githubAnnotations([])).toBe('');
});
