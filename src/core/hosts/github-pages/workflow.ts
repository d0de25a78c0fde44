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
