import { NOT_FOUND } from '../api/problem.ts';
import { type Host, partly, unsupported } from './host.ts';
import { DEPLOYMENT_TIME, HOST_COMPRESSION, NO_TOMBSTONES, namesOnly, ONE_ETAG, PATH_ONLY } from './plain-hosting.ts';

// Pins actions to commits, because the owner of an action can move its tags, but not its commits.
const CHECKOUT = 'actions/checkout@1af3b93b6815bc44a9784bd300feb67ff0d1eeb3 # v6.0.0';
const SETUP_NODE = 'actions/setup-node@2028fbc5c25fe9cf00d9f06a71cc4710d4507903 # v6.0.0';
const UPLOAD_PAGES = 'actions/upload-pages-artifact@fc324d3547104276b827a68afc52ff2a11cc49c9 # v5.0.0';
const DEPLOY_PAGES = 'actions/deploy-pages@cd2ce8fcbc39b97be8ca5fce6e763baed58fa128 # v5.0.0';

/** `committed`: the repository contains the registry. `imported`: the workflow imports it from the git history. */
export type RegistryOrigin = 'committed' | 'imported';

/** Imports the commits of the repository itself. */
export const IMPORT = 'npx gridpress import . -o registry-data';

/** The command names the host, because an imported registry has no committed configuration that names the host. */
export function buildCommand(origin: RegistryOrigin, host: string): string {
  return `npx gridpress build${origin === 'imported' ? ` --host ${host}` : ''}`;
}

/** The branch that a job checks out, so that the job sees the commit of the job `record`. */
const BRANCH = `\${{ github.head_ref || github.ref_name }}`;
/** The job `record` does not run for a pull request from another repository. */
const RECORDED_BRANCH = `\${{ needs.record.result == 'success' && (github.head_ref || github.ref_name) || '' }}`;

/** Steps of a GitHub Actions job that check out the repository, with or without its history, and install packages. */
export function installSteps(hasHistory: boolean, origin: RegistryOrigin, ref = BRANCH): string {
  const isImported = origin === 'imported';
  const inputs = [...(isImported ? [] : [`ref: ${ref}`]), ...(hasHistory || isImported ? ['fetch-depth: 0'] : [])];
  return `      - uses: ${CHECKOUT}
        with:
${inputs.map((input) => `          ${input}\n`).join('')}      - uses: ${SETUP_NODE}
        with:
          node-version: 22
      - run: npm install --no-audit --no-fund
${isImported ? `      - run: ${IMPORT}\n` : ''}`;
}

/** The job `record` records new edits, and merges the histories of branches, if the registry is committed. */
const recordJob =
  () => `  # Records what a web editor changed in a pull request, and merges the histories of pull requests.
  # GitHub starts no other workflow for the commit of this job.
  record:
    if: github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-24.04
    permissions:
      contents: write
    steps:
${installSteps(true, 'committed')}      - name: Record what is not recorded
        env:
          TITLE: \${{ github.event.pull_request.title }}
          AUTHOR: \${{ github.event.pull_request.user.login }}
        run: |
          npx gridpress record --merge --author "$GITHUB_ACTOR"
          if [ "$GITHUB_EVENT_NAME" = pull_request ]; then
            npx gridpress diff --summary || npx gridpress record -m "$TITLE" --author "$AUTHOR"
          fi
          git add registry-data
          if ! git diff --cached --quiet; then
            git -c user.name="$GITHUB_ACTOR" -c user.email="$GITHUB_ACTOR@users.noreply.github.com" commit --quiet -m "Record the changes"
            git push --quiet
          fi

`;

/** Returns a workflow that checks pull requests. The jobs in `deployment` deploy the main branch. */
export function githubWorkflow(head: string, deployment: string, origin: RegistryOrigin): string {
  const main =
    origin === 'imported'
      ? 'npx gridpress import . --ref "$(git merge-base "origin/$GITHUB_BASE_REF" HEAD)" -o "$main/registry-data"'
      : 'git worktree add --quiet --detach "$main" "$(git merge-base "origin/$GITHUB_BASE_REF" HEAD)"';
  const record =
    origin === 'committed'
      ? `${recordJob()}  check:\n    needs: record\n    if: \${{ !cancelled() && needs.record.result != 'failure' }}\n`
      : '  check:\n';
  return `${head}name: gridpress

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
${record}    runs-on: ubuntu-24.04
    steps:
${installSteps(true, origin, RECORDED_BRANCH)}      - name: Check the registry
        run: npx gridpress check --strict --format github
      - name: Compare the nodes with each other
        run: npx gridpress check --fleet --format github
      - name: Show what changes
        if: github.event_name == 'pull_request' && !cancelled()
        run: |
          main=$(mktemp -d)/main
          ${main}
          base=$(npx gridpress log -n 1 --json --registry "$main/registry-data" | node -p 'JSON.parse(fs.readFileSync(0)).revisions?.[0]?.id ?? ""') || base=
          changes=$(mktemp)
          if [ -n "$base" ]; then npx gridpress diff "$base" worktree > "$changes" || [ $? -eq 1 ]; else npx gridpress log > "$changes"; fi
          # No value can end a block of indented code.
          { printf '### What changes\\n\\n'; sed 's/^/    /' "$changes"; } >> "$GITHUB_STEP_SUMMARY"
${deployment}`;
}

export const pagesWorkflow = (origin: RegistryOrigin) =>
  githubWorkflow(
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
${installSteps(false, origin)}      - run: ${buildCommand(origin, 'github-pages')}
      - uses: ${UPLOAD_PAGES}
        with:
          path: dist
          include-hidden-files: true
      - id: deployment
        uses: ${DEPLOY_PAGES}
`,
    origin,
  );

/** On GitHub Pages, operators can only set the error page. `.nojekyll` prevents GitHub from changing the tree. */
export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  evidence: 'documentation',
  variants: namesOnly('{path}.html', '{path}/index.html'),
  shortcomings: [
    partly(
      'media-types',
      'Only HTML pages have paths without an ending: X and X/ are text/html, X.json is application/json. A TimeMap in the link format is application/octet-stream.',
      /^\S*(?<!\.json) is (?:text\/html;charset=utf-8|application\/octet-stream), not /,
    ),
    unsupported('cache-classes', 'Headers cannot be set: all responses are cached for ten minutes.'),
    partly(
      'headers',
      'The host sends Access-Control-Allow-Origin: *, but no other configured header.',
      / has (?!access-control-allow-origin: )/,
    ),
    ONE_ETAG,
    DEPLOYMENT_TIME,
    partly(
      'not-found',
      'A 404 is text/html. The host also serves files of the tree that are not documents.',
      / is 404 as text\/html;|^\/(?:(?:sites\/)?index|40[45]\.json|404|_gone\/\S+\.json) answers 200, not 404$/,
    ),
    partly('method-not-allowed', '405 has no problem document.', / is 405 /),
    ...PATH_ONLY,
    HOST_COMPRESSION,
    NO_TOMBSTONES,
    unsupported('latest', 'The host has no redirects: versions/latest returns the newest version.'),
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
      ...pages.map(({ folder, page }) => [`${folder.slice(1)}/index.html`, redirectPage(page)] as const),
    ]),
};

function redirectPage(page: string): string {
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
