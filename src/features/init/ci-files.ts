import {
  buildCommand,
  githubWorkflow,
  IMPORT,
  installSteps,
  pagesWorkflow,
  type RegistryOrigin,
} from '../../core/hosts/github-pages.ts';

export type CiService = 'github' | 'gitlab' | 'netlify' | 'cloudflare';

const WORKFLOW = '.github/workflows/gridpress.yml';

export const HOST_OF_SERVICE: Readonly<Record<CiService, string>> = {
  github: 'github-pages',
  gitlab: 'github-pages',
  netlify: 'netlify',
  cloudflare: 'cloudflare-pages',
};

/** Packages that a CI workflow runs. `package-lock.json` pins these packages and their dependencies. */
export const CI_PACKAGES: Readonly<Partial<Record<CiService, Readonly<Record<string, string>>>>> = {
  cloudflare: { wrangler: '4.164.0' },
};

/** Maps the paths of CI files to texts. `grid` is the name of the Cloudflare project. */
export function ciFiles(service: CiService, grid: string, origin: RegistryOrigin): ReadonlyMap<string, string> {
  switch (service) {
    case 'github':
      return new Map([[WORKFLOW, pagesWorkflow(origin)]]);
    case 'gitlab':
      return new Map([['.gitlab-ci.yml', gitlabPipeline(origin)]]);
    case 'netlify':
      return new Map([
        ['netlify.toml', netlify(origin)],
        [WORKFLOW, githubWorkflow(NETLIFY_CHECK, '', origin)],
      ]);
    case 'cloudflare':
      return new Map([[WORKFLOW, cloudflareWorkflow(grid, origin)]]);
  }
}

function gitlabPipeline(origin: RegistryOrigin): string {
  const isImported = origin === 'imported';
  const install = `npm install --no-audit --no-fund${isImported ? `\n    - ${IMPORT}` : ''}`;
  const main = isImported
    ? 'npx gridpress import . --ref "$(git merge-base FETCH_HEAD HEAD)" -o "$main/registry-data"'
    : 'git worktree add --quiet --detach "$main" "$(git merge-base FETCH_HEAD HEAD)"';
  return `# Checks every merge request and shows what it changes, and deploys the default branch on GitLab Pages.
image: node:22-bookworm

stages: [check, deploy]

check:
  stage: check
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    GIT_DEPTH: 0
  script:
    - ${install}
    - npx gridpress check --strict
    - npx gridpress check --fleet

changes:
  stage: check
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: 0
  script:
    - ${install}
    - git fetch --quiet origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
    - main=$(mktemp -d)/main
    - ${main}
    - base=$(npx gridpress log -n 1 --json --registry "$main/registry-data" | node -p 'JSON.parse(fs.readFileSync(0)).revisions?.[0]?.id ?? ""') || base=
    - if [ -n "$base" ]; then npx gridpress diff "$base" worktree > changes.txt || [ $? -eq 1 ]; else npx gridpress log > changes.txt; fi
    - cat changes.txt
  artifacts:
    expose_as: What changes
    paths: [changes.txt]

# GitLab Pages finds files as GitHub Pages does, by X.html and X/index.html.
pages:
  stage: deploy
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    GIT_DEPTH: 0
  script:
    - ${install}
    - ${buildCommand(origin, 'github-pages')} --out public
  artifacts:
    paths: [public]
`;
}

const netlify = (
  origin: RegistryOrigin,
) => `# Netlify builds the main branch and deploys it. The build writes \`_headers\`, \`_redirects\` and \`404.html\` into the tree.
[build]
  command = "${origin === 'imported' ? `${IMPORT} && ` : ''}${buildCommand(origin, 'netlify')}"
  publish = "dist"

[build.environment]
  NODE_VERSION = "22"
`;

const NETLIFY_CHECK = `# Checks every pull request and shows what it changes. Netlify deploys main by itself: netlify.toml.
`;

function cloudflareWorkflow(grid: string, origin: RegistryOrigin): string {
  const project = grid.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return githubWorkflow(
    `# Checks every pull request and shows what it changes, and deploys main on Cloudflare Pages.
# Make the project once, with \`npx wrangler pages project create ${project} --production-branch main\`, and give the
# repository the secrets CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN (with the permission Cloudflare Pages: Edit).
`,
    `
  deploy:
    if: github.event_name == 'push'
    needs: check
    runs-on: ubuntu-24.04
    concurrency: pages
    steps:
${installSteps(false, origin)}      - run: ${buildCommand(origin, 'cloudflare-pages')}
      - run: npx wrangler pages deploy dist --project-name ${project} --branch main
        env:
          CLOUDFLARE_ACCOUNT_ID: \${{ secrets.CLOUDFLARE_ACCOUNT_ID }}
          CLOUDFLARE_API_TOKEN: \${{ secrets.CLOUDFLARE_API_TOKEN }}
`,
    origin,
  );
}
