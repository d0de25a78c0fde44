import { NOT_FOUND } from '../api/problem.ts';
import type { Host } from './host.ts';
import {
  CHOSEN_BY_PATH,
  COMPRESSED_ON_THE_WAY,
  NO_ACCEPT,
  NO_GONE,
  NO_RULES,
  namesOnly,
  ONE_ETAG,
} from './plain-hosting.ts';

/** A workflow of GitHub Actions: every pull request is checked and shown what it changes; then main is deployed. */

const CHECKOUT = 'actions/checkout@v6.0.0';
const SETUP_NODE = 'actions/setup-node@v6.0.0';

/** Installing what package.json asks for, as steps of a job. `history` takes all commits, and not the newest alone. */
export function installSteps(history: boolean): string {
  return `      - uses: ${CHECKOUT}
${history ? '        with:\n          fetch-depth: 0\n' : ''}      - uses: ${SETUP_NODE}
        with:
          node-version: 22
          cache: npm
      - run: npm ci
`;
}

/** A workflow that checks, and below that the jobs of a host that deploys. `head` is comments about it. */
export function githubWorkflow(head: string, deployment: string): string {
  return `${head}name: gridpress

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-24.04
    steps:
${installSteps(true)}      - name: Check the registry
        run: npx gridpress check --fleet --format github
      - name: Show what changes
        if: github.event_name == 'pull_request' && !cancelled()
        run: |
          main=$(mktemp -d)/main
          git worktree add --quiet --detach "$main" "origin/$GITHUB_BASE_REF"
          base=$(npx gridpress log -n 1 --json --registry "$main/registry-data" | node -p 'JSON.parse(fs.readFileSync(0)).revisions?.[0]?.id ?? ""') || base=
          {
            echo '### What changes'
            echo '\`\`\`'
            if [ -n "$base" ]; then npx gridpress diff "$base" worktree || [ $? -eq 1 ]; else npx gridpress log; fi
            echo '\`\`\`'
          } >> "$GITHUB_STEP_SUMMARY"
${deployment}`;
}

/** The whole of it for GitHub Pages. */
export const PAGES_WORKFLOW = githubWorkflow(
  `# Checks every pull request and shows what it changes, and deploys main on GitHub Pages.
# Settings of the repository: Pages > Build and deployment > Source: GitHub Actions.
`,
  `
  deploy:
    if: github.event_name == 'push'
    needs: check
    runs-on: ubuntu-24.04
    permissions:
      pages: write
      id-token: write
      contents: read
    environment:
      name: github-pages
      url: \${{ steps.deployment.outputs.page_url }}
    concurrency: pages
    steps:
${installSteps(false)}      - run: npx gridpress build --host github-pages
      - uses: actions/upload-pages-artifact@v5.0.0
        with:
          path: dist
          include-hidden-files: true
      - id: deployment
        uses: actions/deploy-pages@v5.0.0
`,
);

/** GitHub Pages: two files that keep it from changing the tree and make a miss a problem document; nothing else can be set. */
export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  evidence: 'documentation',
  variants: namesOnly('{path}.html', '{path}/index.html'),
  shortcomings: [
    {
      capability: 'media-types',
      extent: 'partly',
      why: 'Only pages answer without their ending: X and X/ are text/html, X.json is application/json. A TimeMap in the link format is application/octet-stream.',
      covers: /^\S*(?<!\.json) is (?:text\/html;charset=utf-8|application\/octet-stream), not /,
    },
    NO_ACCEPT,
    {
      capability: 'cache-classes',
      extent: 'none',
      why: 'Everything may be kept for ten minutes: headers cannot be set.',
    },
    {
      capability: 'headers',
      extent: 'partly',
      why: 'Headers cannot be set; Access-Control-Allow-Origin: * is sent by itself.',
      covers: / has (?!access-control-allow-origin: )/,
    },
    ONE_ETAG,
    { capability: 'last-modified', extent: 'none', why: 'Last-Modified is the time of the deployment.' },
    {
      capability: 'not-found',
      extent: 'partly',
      why: 'The problem document is a page: a miss is text/html. Files of the tree that are no documents are answered.',
      covers: / is 404 as text\/html;|^\/(?:(?:sites\/)?index|40[45]\.json|404|_gone\/\S+\.json) answers 200, not 404$/,
    },
    {
      capability: 'method-not-allowed',
      extent: 'partly',
      why: 'Other methods are 405 in the words of GitHub, without a problem document.',
      covers: / is 405 /,
    },
    ...CHOSEN_BY_PATH,
    ...NO_RULES,
    COMPRESSED_ON_THE_WAY,
    NO_GONE,
    {
      capability: 'latest',
      extent: 'none',
      why: 'There are no redirects: versions/latest answers the newest version itself.',
    },
  ],
  limits: [
    {
      of: 'tree-size',
      most: 1_000_000_000,
      source: 'docs.github.com/pages/getting-started-with-github-pages/github-pages-limits: 1 GB for a published site',
    },
  ],
  files: ({ pages }) =>
    new Map([
      ['.nojekyll', ''],
      ['404.html', NOT_FOUND],
      ...pages.map(({ folder, page }) => [`${folder.slice(1)}/index.html`, leadingTo(page)] as const),
    ]),
};

/** The index of a page's folder, where only a page can lead elsewhere. */
function leadingTo(page: string): string {
  const name = page.slice(page.lastIndexOf('/') + 1);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${name}">
<title>Moved</title>
<p><a href="${name}">This page is here.</a></p>
</html>
`;
}
