import { expect, test } from 'vitest';
import { finding } from '../../../../src/core/diagnostics/finding.ts';
import { githubAnnotations } from '../../../../src/core/diagnostics/render.ts';

test('a finding is a command of GitHub Actions, with what has a meaning there escaped', () => {
  const place = { file: 'sites/a,b/100%.yaml', line: 3, column: 5 };
  expect(
    githubAnnotations([
      finding('uid-not-a-uuid', { uid: 'x: 100%\ny' }, place),
      finding('field-name', { field: 'ram_sise', suggestion: 'ram_size' }, { file: 'n.yaml' }),
      finding('history-empty', {}),
    ]),
  ).toBe(`::error file=sites/a%2Cb/100%25.yaml,line=3,col=5,title=gridpress uid-not-a-uuid::The uid "x: 100%25%0Ay" is not a lowercase UUID.%0AGive the node a UUID, or set "node_uid: name" in gridpress.yaml.
::warning file=n.yaml,title=gridpress field-name::"ram_sise" is no known field, and "ram_size" is.%0ACorrect it if that is what is meant. Other fields are kept as they are.
::error title=gridpress history-empty::The registry has no history.%0ARecord its present state: gridpress record -m "First revision".
`);
});

test('no finding is no line', () => {
  expect(githubAnnotations([])).toBe('');
});
