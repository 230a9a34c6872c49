import { it } from 'vitest';
import { claudeCommand } from '@/lib/harness/claude/command';
import { reportBack } from '../support/messages-api/reply';
import { resumeOf, tierStart } from './support/cli-host';
import { describeCli } from './support/describe-cli';
import { runCli } from './support/run-cli';

describeCli('x', (withBench, cli) => {
  it('y', () => withBench(() => reportBack({ summary: 'one' }), async ({ api, host }) => {
   for (const how of ['none', 'env', 'flag']) {
    if (how === 'flag' && cli.version === '2.1.197') continue;
    const go = async (spec: ReturnType<typeof tierStart>) => {
      const c = claudeCommand(spec, host.layout);
      c.env.CLAUDE_CODE_DISABLE_AUTO_MEMORY = '1';
      if (how === 'env') c.env.CLAUDE_CODE_HOST_PROMPT_SUPERSEDES_RECORD = '1';
      if (how === 'flag') c.args.push('--system-prompt-snapshot', 'off');
      const r = await runCli(c, host.layout.workDir);
      const s = JSON.stringify(api.requests.at(-1)?.body.system);
      const t = JSON.stringify(api.requests.at(-1)?.body.messages);
      console.log('#', cli.version, how, s.includes('tier one system'), s.includes('tier two system'), t.includes('tier two'), s.includes('persistent file-based memory'), r.stderr, r.results.length);
    };
    const one = tierStart(1, { systemPrompt: 'tier one system' });
    await go(one);
    await go(tierStart(2, { continuation: resumeOf(one), systemPrompt: 'tier two system', prompt: 'ESCALATE' }));
    await go(tierStart(2, { continuation: resumeOf(one), systemPrompt: 'tier two system', prompt: 'ESCALATE', model: 'haiku' }));
   }
  }));
});
